import { ConfigurationTab } from "@/components/installation/tabs/configuration-tab";
import { currentInstallation, titleInstallation } from "@/lib/server/web/installation";
import { page } from "@/lib/server/web/page";

export const generateMetadata = titleInstallation("Configuration");

export default page("/installations/[installationId]/configuration", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <ConfigurationTab />;
});
