import { Layers } from "lucide-react";
import type { Metadata } from "next";
import { InstallationRows } from "@/components/installations/installation-rows";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { FilterTabs, PageHeader, Pager, SearchForm } from "@/components/ui/page-header";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import { listInstallations } from "@/lib/server/installations/read-installation";
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
  const { installations, next } = await listInstallations(platform, member, { search, state, before: after });
  const query = { ...(search === "" ? {} : { q: search }), ...(state === "" ? {} : { state }) };
  const filtered = search !== "" || state !== "" || after !== undefined;
  return (
    <>
      <PageHeader title="Installations" description="Apps installed for your tenants." />
      {(installations.length > 0 || filtered) && (
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <SearchForm
            path="/installations"
            label="Search apps and tenants"
            value={search}
            keep={state === "" ? {} : { state }}
          />
          <StateFilter state={state} search={search} />
        </div>
      )}
      <Card flush>
        {installations.length === 0 ? (
          <NoInstallations filtered={filtered} />
        ) : (
          <InstallationRows installations={installations} />
        )}
      </Card>
      <Pager path="/installations" query={query} next={next} started={after !== undefined} />
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

/** The filter is in the URL, next to the search. */
function StateFilter({ state, search }: { state: string; search: string }) {
  return (
    <FilterTabs
      label="Filter by state"
      options={FILTERS.map((option) => ({
        href: `/installations?${new URLSearchParams({
          ...(search === "" ? {} : { q: search }),
          ...(option.state === "" ? {} : { state: option.state }),
        })}`,
        text: option.text,
        current: option.state === state,
      }))}
    />
  );
}
