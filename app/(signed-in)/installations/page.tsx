import { Layers } from "lucide-react";
import type { Metadata } from "next";
import { InstallationRows } from "@/components/installations/installation-rows";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { FilterTabs, PageHeader, Pager, SortTabs } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import { listInstallations } from "@/lib/server/installations/list-installations";
import { readLaunchRules } from "@/lib/server/installations/requests/launch-rules";
import { countRequests } from "@/lib/server/installations/requests/list-requests";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Installations" };

/** Without the states that last only seconds. */
const FILTERS: readonly { state: InstallationStatus | ""; text: string }[] = [
  { state: "", text: "All" },
  { state: "LAUNCHING", text: "Launching" },
  { state: "RUNNING", text: "Running" },
  { state: "DEGRADED", text: "Degraded" },
  { state: "DOWN", text: "Down" },
  { state: "ASLEEP", text: "Asleep" },
  { state: "ERROR", text: "Error" },
  { state: "STOPPED", text: "Stopped" },
  { state: "UNINSTALLED", text: "Uninstalled" },
];

export default page("/installations", async ({ platform, member, searchParams }) => {
  const { q: search = "", state = "", after } = searchParams;
  const [{ installations, counts, total, shown, sort, isKnown, ...pages }, waiting, rules] =
    await Promise.all([
      listInstallations(platform, member, { search, state, sort: searchParams.sort, after }),
      countRequests(platform, member),
      readLaunchRules(platform, member),
    ]);
  const hasRequests = waiting > 0 || rules.membersAsk || rules.onlyAllowedApps;
  const sorted: Record<string, string> = sort === "newest" ? {} : { sort };
  const filter: Record<string, string> = {
    ...(search === "" ? {} : { q: search }),
    ...(state === "" ? {} : { state }),
  };
  const query = { ...filter, ...sorted };
  const sorts = [
    { sort: "newest", text: "Newest" },
    { sort: "urgency", text: isKnown ? "Needs attention" : "Errors first" },
    { sort: "name", text: "App" },
    { sort: "tenant", text: "Tenant" },
  ] as const;
  const filtered = search !== "" || state !== "" || after !== undefined;
  return (
    <>
      <PageHeader
        title="Installations"
        description="Apps installed for your tenants."
        actions={
          hasRequests ? (
            <LinkButton href="/installations/requests">
              {waiting === 0 ? "Requests" : `Requests (${waiting})`}
            </LinkButton>
          ) : undefined
        }
      />
      {(installations.length > 0 || filtered) && (
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <SearchForm
            path="/installations"
            label="Search apps and tenants"
            value={search}
            keep={{ ...(state === "" ? {} : { state }), ...sorted }}
          />
          <StateFilter
            state={state}
            query={search === "" ? sorted : { q: search, ...sorted }}
            counts={{ ...counts, "": total }}
          />
          {total > 1 && <SortTabs path="/installations" query={filter} sorts={sorts} current={sort} />}
        </div>
      )}
      <Card flush>
        {installations.length === 0 ? (
          <NoInstallations filtered={filtered} />
        ) : (
          <InstallationRows installations={installations} role={member.organization.role} />
        )}
      </Card>
      <Pager
        path="/installations"
        query={query}
        pages={pages}
        total={shown === undefined ? undefined : `${shown.toLocaleString("en-US")} installations`}
      />
    </>
  );
});

function NoInstallations({ filtered }: { filtered: boolean }) {
  if (filtered) {
    return (
      <EmptyState
        icon={Layers}
        title="No matches"
        action={<LinkButton href="/installations">Show all</LinkButton>}
      >
        No installations match this search and filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Layers}
      title="No installations yet"
      action={
        <LinkButton tone="primary" href="/marketplace">
          Open the marketplace
        </LinkButton>
      }
    >
      Choose an app and configure it. It runs for your tenant within seconds.
    </EmptyState>
  );
}

interface StateFilterProps {
  state: string;
  /** Of the rest of the list. */
  query: Record<string, string>;
  counts: Partial<Record<InstallationStatus | "", number>>;
}

/** The filter is in the URL, next to the search. */
function StateFilter({ state, query, counts }: StateFilterProps) {
  return (
    <FilterTabs
      label="Filter by state"
      options={FILTERS.map((option) => ({
        href: `/installations?${new URLSearchParams({
          ...query,
          ...(option.state === "" ? {} : { state: option.state }),
        })}`,
        text: option.text,
        count: counts[option.state],
        current: option.state === state,
      }))}
    />
  );
}
