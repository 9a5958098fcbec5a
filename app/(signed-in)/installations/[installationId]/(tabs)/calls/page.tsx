import { CallsTab } from "@/components/installations/calls-tab";
import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { FIRST_PAGE_SIZE, listCalls, listScopes } from "@/lib/server/insight/call-log/list-calls";
import { page, titled } from "@/lib/server/surface/web/page";
import { nameInstallation } from "@/lib/server/surface/web/page-reads";

export const generateMetadata = titled(
  "/installations/[installationId]/calls",
  "Installations",
  ({ params }) => nameInstallation(params.installationId, "Calls"),
);

export default page("/installations/[installationId]/calls", async (input) => {
  const { platform, member, params, searchParams } = input;
  const filter = { ...readCallFilter(searchParams), installation: params.installationId };
  const [first, scopes] = await Promise.all([
    listCalls(platform, member, filter, undefined, FIRST_PAGE_SIZE),
    listScopes(platform, member, filter, params.installationId),
  ]);
  return <CallsTab first={{ page: first, filter }} scopes={scopes} />;
});
