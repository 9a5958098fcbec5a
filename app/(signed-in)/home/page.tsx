import type { Metadata } from "next";
import { HomeView } from "@/components/home/home-view";
import { PageHeader } from "@/components/ui/page-header";
import { readHome } from "@/lib/server/home/read-home";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Home" };

export default page("/home", async ({ platform, actor, member }) => (
  <>
    <PageHeader title="Home" description={member?.organization.name ?? "Platform moderation"} />
    <HomeView {...await readHome(platform, actor)} publishes={member?.organization.role !== "operator"} />
  </>
));
