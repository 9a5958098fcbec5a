import { ConfigurationTab } from "@/components/installations/configuration-tab";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled(
  "/installations/[installationId]/configuration",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Configuration"),
);

export default page("/installations/[installationId]/configuration", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <ConfigurationTab />;
});
