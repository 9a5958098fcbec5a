import { redirect } from "next/navigation";
import { Landing } from "@/components/catalog/marketplace/landing";
import { listNewest } from "@/lib/server/catalog/marketplace";
import { describePage, page } from "@/lib/server/surface/web/page";

const NEWEST = 12;

export const generateMetadata = () =>
  describePage({
    path: "/",
    title: { absolute: "App Hosting Platform: apps for your policy system" },
    description:
      "Find verified apps that rate risks, fill in forms, and react to events in your policy-administration system.",
  });

export default page("/", async ({ actor, platform }) => {
  if (actor !== undefined) redirect("/home");
  return <Landing newest={await listNewest(platform, NEWEST)} />;
});
