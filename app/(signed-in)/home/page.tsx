import type { Metadata } from "next";
import { HomeView } from "@/components/surface/home-view";
import { PageHeader } from "@/components/ui/page-header";
import { readHome } from "@/lib/server/surface/read-home";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Home" };

export default page("/home", async ({ platform, actor, member }) => (
  <>
    <PageHeader
      title="Home"
      description={member?.organization.name ?? (actor.moderator ? "Platform moderation" : undefined)}
    />
    <HomeView {...await readHome(platform, actor)} organizationSlug={member?.organization.slug ?? ""} />
  </>
));
