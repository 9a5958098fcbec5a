import type { Metadata } from "next";
import { PreferencesCard } from "@/components/platform/notification-preferences";
import { PageHeader } from "@/components/ui/page-header";
import { readPreferences } from "@/lib/server/platform/notifications/preferences";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Notification settings" };

export default page("/account/notifications", async ({ platform, actor }) => (
  <>
    <PageHeader
      title="Notification settings"
      description="Choose which notifications you get, and how."
      back={{ href: "/notifications", text: "Notifications" }}
    />
    <PreferencesCard
      preferences={await readPreferences(platform, actor)}
      email={actor.email}
      sendsMail={platform.environment.PLATFORM_SMTP_URL !== ""}
    />
  </>
));
