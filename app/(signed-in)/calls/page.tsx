import type { Metadata } from "next";
import { CallLog } from "@/components/insight/call-log/call-log";
import { PageHeader } from "@/components/ui/page-header";
import { readCallFilter } from "@/lib/contract/calls/call-filter";
import { FIRST_PAGE_SIZE, listCalls, listScopes } from "@/lib/server/insight/call-log/list-calls";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Calls" };

export default page("/calls", async ({ platform, member, searchParams }) => {
  const filter = readCallFilter(searchParams);
  const [first, scopes] = await Promise.all([
    listCalls(platform, member, filter, undefined, FIRST_PAGE_SIZE),
    listScopes(platform, member, filter),
  ]);
  return (
    <>
      <PageHeader
        title="Calls"
        description="Calls that the core, the platform, and the console sent to your organization's installations."
      />
      <CallLog first={{ page: first, filter }} scopes={scopes} role={member.organization.role} />
    </>
  );
});
