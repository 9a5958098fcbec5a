import { SettingsTab } from "@/components/installation/tabs/settings-tab";
import { currentInstallation, nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled(
  "/installations/[installationId]/settings",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Settings"),
);

export default page("/installations/[installationId]/settings", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <SettingsTab />;
});
