import type { Metadata } from "next";
import { Layers } from "lucide-react";
import { InstallationRows } from "@/components/installation/installation-rows";
import { StateFilter } from "@/components/installation/state-filter";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/list-controls";
import { SearchForm } from "@/components/ui/list-controls";
import { listInstallations } from "@/lib/server/installations/list-installations";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Installations" };

export default page("/installations", async ({ platform, member, searchParams }) => {
  const { q: search = "", state = "", after } = searchParams;
  const { installations, next } = await listInstallations(platform, member, { search, state, before: after });
  const query = { ...(search === "" ? {} : { q: search }), ...(state === "" ? {} : { state }) };
  const filtered = search !== "" || state !== "" || after !== undefined;
  return (
    <>
      <PageHeader title="Installations" description="The apps that run for your tenants." />
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
        title="Nothing fits"
        action={<LinkButton href="/installations">Show all</LinkButton>}
      >
        No installation fits the search and the filter.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Layers}
      title="Nothing is installed yet"
      action={
        <LinkButton tone="primary" href="/marketplace">
          Open the marketplace
        </LinkButton>
      }
    >
      Choose an app, configure it, and it runs for your tenant within seconds.
    </EmptyState>
  );
}
