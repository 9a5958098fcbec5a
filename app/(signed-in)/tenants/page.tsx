import { Network } from "lucide-react";
import type { Metadata } from "next";
import { CreateSandboxButton } from "@/components/installations/tenants/create-sandbox-button";
import { TenantRows } from "@/components/installations/tenants/tenant-rows";
import { Card, EmptyState } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links";
import { FilterTabs, PageHeader, Pager, SortTabs } from "@/components/ui/page-header";
import { SearchForm } from "@/components/ui/search-form";
import type { ConnectionState } from "@/lib/contract/installations/installation-view";
import { listTenants } from "@/lib/server/installations/tenants/read-tenants";
import { page } from "@/lib/server/surface/web/page";

export const metadata: Metadata = { title: "Tenants" };

const SORTS = [
  { sort: "name", text: "Name" },
  { sort: "newest", text: "Newest" },
] as const;

const FILTERS: readonly { connection: ConnectionState | ""; text: string }[] = [
  { connection: "", text: "All" },
  { connection: "connected", text: "Connected" },
  { connection: "failed", text: "Failed" },
  { connection: "untested", text: "Not tested" },
];

export default page("/tenants", async ({ platform, member, searchParams }) => {
  const { q: search = "", connection = "", after } = searchParams;
  const { tenants, sort, total, counts, hasSandbox, ...pages } = await listTenants(platform, member, {
    search,
    connection,
    sort: searchParams.sort,
    after,
  });
  const { role } = member.organization;
  const mayConnect = role === "owner";
  const maySandbox =
    role !== "operator" && platform.environment.PLATFORM_SANDBOX_CORE_URL !== "" && !hasSandbox;
  const searched: Record<string, string> = search === "" ? {} : { q: search };
  const chosen: Record<string, string> = connection === "" ? {} : { connection };
  const sorted: Record<string, string> = sort === "name" ? {} : { sort };
  const filtered = search !== "" || connection !== "" || after !== undefined;
  const actions = (
    <>
      {maySandbox && <CreateSandboxButton />}
      {mayConnect && (
        <LinkButton tone="primary" href="/tenants/new">
          Connect a tenant
        </LinkButton>
      )}
    </>
  );
  const none = filtered ? (
    <EmptyState icon={Network} title="No matches" action={<LinkButton href="/tenants">Show all</LinkButton>}>
      No tenants match this search and filter.
    </EmptyState>
  ) : (
    <EmptyState icon={Network} title="No tenants yet" action={actions}>
      Connect a tenant of your policy system to import its products.
      {!mayConnect && " Only an owner of your organization can do this."}
      {maySandbox && " A sandbox is a tenant with sample products, for trying your own apps."}
    </EmptyState>
  );
  return (
    <>
      <PageHeader
        title="Tenants"
        description="The tenants of your policy system. Each app is launched for one tenant and its products."
        actions={tenants.length > 0 || filtered ? actions : undefined}
      />
      {(tenants.length > 0 || filtered) && (
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <SearchForm path="/tenants" label="Search tenants" value={search} keep={{ ...chosen, ...sorted }} />
          <ConnectionFilter connection={connection} query={{ ...searched, ...sorted }} counts={counts} />
          {total > 1 && (
            <SortTabs path="/tenants" query={{ ...searched, ...chosen }} sorts={SORTS} current={sort} />
          )}
        </div>
      )}
      <Card flush>{tenants.length === 0 ? none : <TenantRows tenants={tenants} />}</Card>
      <Pager
        path="/tenants"
        query={{ ...searched, ...chosen, ...sorted }}
        pages={pages}
        total={`${total.toLocaleString("en-US")} tenants`}
      />
    </>
  );
});

interface ConnectionFilterProps {
  connection: string;
  /** Of the rest of the list. */
  query: Record<string, string>;
  counts: Record<ConnectionState | "all", number>;
}

/** The filter is in the URL, next to the search. */
function ConnectionFilter({ connection, query, counts }: ConnectionFilterProps) {
  return (
    <FilterTabs
      label="Filter by connection"
      options={FILTERS.map((option) => ({
        href: `/tenants?${new URLSearchParams({
          ...query,
          ...(option.connection === "" ? {} : { connection: option.connection }),
        })}`,
        text: option.text,
        count: counts[option.connection === "" ? "all" : option.connection],
        current: option.connection === connection,
      }))}
    />
  );
}
