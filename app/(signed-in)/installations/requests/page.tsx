import { Inbox } from "lucide-react";
import type { Metadata } from "next";
import { RequestList } from "@/components/installations/requests/request-list";
import { Card, EmptyState } from "@/components/ui/card";
import { FilterTabs, PageHeader, Pager } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import { listRequests } from "@/lib/server/installations/requests/list-requests";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Requests · Installations" };

const PATH = "/installations/requests";

export default page("/installations/requests", async ({ platform, member, searchParams }) => {
  const { state, q, after } = searchParams;
  const { requests, open, counts, search, pages } = await listRequests(platform, member, {
    state,
    q,
    after,
  });
  const isOwner = member.organization.role === "owner";
  const kept: Record<string, string> = open ? {} : { state: "ended" };
  const query = { ...kept, ...(search === "" ? {} : { q: search }) };
  const tab = (name: string) =>
    `${PATH}?${new URLSearchParams({ ...(name === "" ? {} : { state: name }), ...(search === "" ? {} : { q: search }) })}`;
  const isLong = search !== "" || !pages.isFirst || pages.next !== undefined;
  return (
    <>
      <PageHeader
        back={{ href: "/installations", text: "Installations" }}
        title="Requests"
        description={
          isOwner
            ? "Members ask to launch apps. Approve or decline what they ask for."
            : "Apps that you asked to launch. An owner of your organization decides."
        }
      />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        {isLong && (
          <SearchForm path={PATH} label="Search apps, tenants, and people" value={search} keep={kept} />
        )}
        <FilterTabs
          label="Filter by state"
          options={[
            { href: tab(""), text: "Open", count: counts.open, current: open },
            { href: tab("ended"), text: "Ended", count: counts.ended, current: !open },
          ]}
        />
      </div>
      <Card flush>
        {requests.length > 0 ? (
          <RequestList requests={requests} />
        ) : (
          <EmptyState
            icon={Inbox}
            title={search !== "" ? "No matches" : open ? "No open requests" : "No requests yet"}
          >
            {search !== ""
              ? "No requests match this search."
              : isOwner
                ? "If members ask before they launch, their requests appear here. Owners turn this on in the organization's settings."
                : "To ask for an app, open it in the marketplace and select Launch."}
          </EmptyState>
        )}
      </Card>
      <Pager
        path={PATH}
        query={query}
        pages={pages}
        total={`${(open ? counts.open : counts.ended).toLocaleString("en-US")} requests`}
      />
    </>
  );
});
