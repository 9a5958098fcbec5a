import { OverviewTab } from "@/components/installation/tabs/overview-tab";
import { currentInstallation, nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled("/installations/[installationId]", "Installations", ({ params }) =>
  nameInstallation(params.installationId),
);

export default page("/installations/[installationId]", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <OverviewTab />;
});
