import type { Metadata } from "next";
import { Network } from "lucide-react";
import { ConnectionFilter } from "@/components/tenants/connection-filter";
import { MakeSandboxButton } from "@/components/tenants/create-sandbox-button";
import { TenantRows } from "@/components/tenants/tenant-rows";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/list-controls";
import { SearchForm } from "@/components/ui/list-controls";
import { listTenants } from "@/lib/server/tenants/list-tenants";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Tenants" };

export default page("/tenants", async ({ platform, member, searchParams }) => {
  const { q: search = "", connection = "", after } = searchParams;
  const { tenants, next, hasSandbox } = await listTenants(platform, member, { search, connection, after });
  const { role } = member.organization;
  const mayConnect = role === "owner";
  const maySandbox =
    role !== "operator" && platform.environment.PLATFORM_SANDBOX_CORE_URL !== "" && !hasSandbox;
  const kept: Record<string, string> = connection === "" ? {} : { connection };
  const filtered = search !== "" || connection !== "" || after !== undefined;
  const actions = (
    <>
      {maySandbox && <MakeSandboxButton />}
      {mayConnect && (
        <LinkButton tone="primary" href="/tenants/new">
          Connect a tenant
        </LinkButton>
      )}
    </>
  );
  const none = filtered ? (
    <EmptyState
      icon={Network}
      title="Nothing fits"
      action={<LinkButton href="/tenants">Show all</LinkButton>}
    >
      No tenant fits the search and the filter.
    </EmptyState>
  ) : (
    <EmptyState icon={Network} title="No tenant is connected yet" action={actions}>
      Connect the tenant of your policy system, and its products are read from it.
      {!mayConnect && " An owner of your organization can do that."}
      {maySandbox && " A sandbox is a tenant with made-up products, for trying your own apps out."}
    </EmptyState>
  );
  return (
    <>
      <PageHeader
        title="Tenants"
        description="Your tenants of the policy system. Apps are launched for them, with the products that they have."
        actions={tenants.length > 0 || filtered ? actions : undefined}
      />
      {(tenants.length > 0 || filtered) && (
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <SearchForm path="/tenants" label="Search tenants" value={search} keep={kept} />
          <ConnectionFilter connection={connection} search={search} />
        </div>
      )}
      <Card flush>{tenants.length === 0 ? none : <TenantRows tenants={tenants} />}</Card>
      <Pager
        path="/tenants"
        query={{ ...(search === "" ? {} : { q: search }), ...kept }}
        next={next}
        started={after !== undefined}
      />
    </>
  );
});
