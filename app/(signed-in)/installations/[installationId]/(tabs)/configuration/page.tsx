import { ConfigurationTab } from "@/components/installation/tabs/configuration-tab";
import { currentInstallation, nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled(
  "/installations/[installationId]/configuration",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Configuration"),
);

export default page("/installations/[installationId]/configuration", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <ConfigurationTab />;
});
