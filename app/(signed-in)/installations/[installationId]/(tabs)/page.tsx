import { OverviewTab } from "@/components/installation/tabs/overview-tab";
import { currentInstallation, titleInstallation } from "@/lib/server/web/installation";
import { page } from "@/lib/server/web/page";

export const generateMetadata = titleInstallation();

export default page("/installations/[installationId]", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <OverviewTab />;
});
