import type { Metadata } from "next";
import { Network } from "lucide-react";
import { ConnectionBadge } from "@/components/tenants/connection-badge";
import { MakeSandboxButton } from "@/components/tenants/make-sandbox-button";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { TextLink } from "@/components/ui/text-link";
import { listTenants, type ListedTenant } from "@/lib/server/tenants/list-tenants";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Tenants" };

export default page("/tenants", async ({ platform, member }) => {
  const tenants = await listTenants(platform, member);
  const { role } = member.organization;
  const maySandbox =
    role !== "operator" &&
    platform.environment.PLATFORM_SANDBOX_CORE_URL !== "" &&
    tenants.every((tenant) => !tenant.sandbox);
  const actions = (
    <>
      {maySandbox && <MakeSandboxButton />}
      {role === "owner" && (
        <LinkButton tone="primary" href="/tenants/new">
          Connect a tenant
        </LinkButton>
      )}
    </>
  );
  return (
    <>
      <PageHeader
        title="Tenants"
        description="Your tenants of the policy system. Apps are launched for them, with the products that they have."
        actions={tenants.length > 0 ? actions : undefined}
      />
      <Card flush>
        {tenants.length === 0 ? (
          <EmptyState icon={Network} title="No tenant is connected yet" action={actions}>
            Connect the tenant of your policy system, and its products are read from it.
            {role !== "owner" && " An owner of your organization can do that."}
            {maySandbox && " A sandbox is a tenant with made-up products, for trying your own apps out."}
          </EmptyState>
        ) : (
          <ul aria-label="Tenants" className="divide-y divide-line">
            {tenants.map((tenant) => (
              <TenantRow key={tenant.id} tenant={tenant} />
            ))}
          </ul>
        )}
      </Card>
    </>
  );
});

function TenantRow({ tenant }: { tenant: ListedTenant }) {
  const { id, name, hostName, sandbox, connection, products } = tenant;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 hover:bg-subtle sm:px-6">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TextLink standalone href={`/tenants/${id}`} className="font-medium wrap-anywhere">
            {name}
          </TextLink>
          {sandbox && <Badge tone="warning">Sandbox</Badge>}
        </p>
        <p className="font-mono text-xs wrap-anywhere text-ink-faint">{hostName}</p>
      </div>
      <p className="text-[13px] text-ink-soft tabular-nums sm:w-24">
        {products.length} {products.length === 1 ? "product" : "products"}
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:w-72">
        <ConnectionBadge connection={connection} />
        {connection !== null && (
          <span className="text-xs text-ink-faint">
            tested <RelativeTime at={connection.testedAt} />
          </span>
        )}
      </p>
    </li>
  );
}
