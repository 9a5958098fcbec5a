import { CallsTab } from "@/components/installation/tabs/calls-tab";
import { attemptFilter } from "@/lib/contract/installation";
import { listAttempts } from "@/lib/server/calls/read-attempts";
import { nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled(
  "/installations/[installationId]/calls",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Calls"),
);

export default page("/installations/[installationId]/calls", async (input) => {
  const { platform, member, params, searchParams } = input;
  const filter = attemptFilter.parse(searchParams);
  const first = await listAttempts(platform, member, params.installationId ?? "", filter);
  return <CallsTab first={{ page: first, filter }} />;
});
