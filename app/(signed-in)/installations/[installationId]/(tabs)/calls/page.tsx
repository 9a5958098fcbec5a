import { CallsTab } from "@/components/installation/tabs/calls-tab";
import { readCallFilter } from "@/lib/contract/call-filter";
import { listScopes } from "@/lib/server/call-log/find-scope";
import { listCalls } from "@/lib/server/call-log/list-calls";
import { nameInstallation } from "@/lib/server/web/installation";
import { page, titled } from "@/lib/server/web/page";

export const generateMetadata = titled(
  "/installations/[installationId]/calls",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Calls"),
);

export default page("/installations/[installationId]/calls", async (input) => {
  const { platform, member, params, searchParams } = input;
  const filter = { ...readCallFilter(searchParams), installation: params.installationId };
  const [first, scopes] = await Promise.all([
    listCalls(platform, member, filter),
    listScopes(platform, member, params.installationId),
  ]);
  return <CallsTab first={{ page: first, filter }} scopes={scopes} />;
});
