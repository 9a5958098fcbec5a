import { CallsTab } from "@/components/installation/tabs/calls-tab";
import { currentInstallation, titleInstallation } from "@/lib/server/web/installation";
import { page } from "@/lib/server/web/page";

export const generateMetadata = titleInstallation("Calls");

export default page("/installations/[installationId]/calls", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <CallsTab />;
});
