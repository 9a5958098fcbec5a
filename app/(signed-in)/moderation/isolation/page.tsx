import type { Metadata } from "next";
import { CheckButton } from "@/components/isolation/check-button";
import { IsolationReport } from "@/components/isolation/isolation-report";
import { LiveRefresh } from "@/components/ui/live-refresh";
import { PageHeader } from "@/components/ui/page-header";
import { readIsolation } from "@/lib/server/isolation/read-isolation";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Isolation · Moderation" };

export default page("/moderation/isolation", async ({ platform }) => {
  const isolation = await readIsolation(platform);
  return (
    <>
      <PageHeader
        back={{ href: "/moderation", text: "Moderation" }}
        title="Isolation of apps"
        description="What apps can reach from inside their containers. The platform checks it when it starts."
        actions={<CheckButton isChecking={isolation.state === "checking"} />}
      />
      <IsolationReport isolation={isolation} />
      <LiveRefresh />
    </>
  );
});
