import { CallsTab } from "@/components/installation/tabs/calls-tab";
import { currentInstallation, nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled(
  "/installations/[installationId]/calls",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Calls"),
);

export default page("/installations/[installationId]/calls", async ({ params }) => {
  await currentInstallation(params.installationId ?? "");
  return <CallsTab />;
});
