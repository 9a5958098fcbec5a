import { SettingsTab } from "@/components/installation/tabs/settings-tab";
import { currentInstallation, titleInstallation } from "@/lib/server/web/installation";
import { page } from "@/lib/server/web/page";

export const generateMetadata = titleInstallation("Settings");

export default page("/installations/[installationId]/settings", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <SettingsTab />;
});
