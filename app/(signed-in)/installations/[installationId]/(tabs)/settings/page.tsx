import { SettingsTab } from "@/components/installations/settings-tab";
import { listAcceptances } from "@/lib/server/installations/accept-terms";
import { page, titled } from "@/lib/server/surface/web/page";
import { currentInstallation, nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled(
  "/installations/[installationId]/settings",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Settings"),
);

export default page("/installations/[installationId]/settings", async ({ platform, member, params }) => {
  const { id } = await currentInstallation(params.installationId ?? "");
  return <SettingsTab accepted={await listAcceptances(platform, member, id)} />;
});
