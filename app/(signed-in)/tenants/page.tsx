import type { Metadata } from "next";
import { Network } from "lucide-react";
import { FactList } from "@/components/installation/fact-list";
import { RefreshProductsButton } from "@/components/tenants/refresh-products-button";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { listTenants, type ListedTenant } from "@/lib/server/tenants/list-tenants";
import { page } from "@/lib/server/web/page";

export const metadata: Metadata = { title: "Tenants" };

export default page("/tenants", async ({ platform, member }) => {
  const tenants = await listTenants(platform, member);
  const owner = member.organization.role === "owner";
  const connect = (
    <LinkButton tone="primary" href="/tenants/new">
      Connect a tenant
    </LinkButton>
  );
  return (
    <>
      <PageHeader
        title="Tenants"
        description="Your tenants of the policy system. Apps are launched for them, with the products that they have."
        actions={owner && tenants.length > 0 ? connect : undefined}
      />
      {tenants.length === 0 && (
        <Card>
          <EmptyState icon={Network} title="No tenant is connected yet" action={owner && connect}>
            Connect the tenant of your policy system, and its products are read from it.
            {!owner && " An owner of your organization can do that."}
          </EmptyState>
        </Card>
      )}
      <div className="flex flex-col gap-4">
        {tenants.map((tenant) => (
          <TenantCard key={tenant.id} tenant={tenant} />
        ))}
      </div>
    </>
  );
});

function TenantCard({ tenant }: { tenant: ListedTenant }) {
  return (
    <Card
      title={tenant.name}
      description={<span className="font-mono text-xs break-all">{tenant.hostName}</span>}
      actions={<RefreshProductsButton tenantId={tenant.id} name={tenant.name} />}
    >
      <FactList
        rows={[
          {
            name: "Core API",
            value: <span className="font-mono text-[13px] break-all">{tenant.coreApiUrl}</span>,
          },
          { name: "Products", value: <Products products={tenant.products} /> },
        ]}
      />
    </Card>
  );
}

function Products({ products }: Pick<ListedTenant, "products">) {
  const [first] = products;
  if (first === undefined)
    return <span className="text-ink-soft">The core lists none. Deploy one there, then refresh.</span>;
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {products.map((product) => (
          <li key={product.name}>
            <Badge>
              {product.name} · {product.paths.length} {product.paths.length === 1 ? "field" : "fields"}
            </Badge>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-[13px] text-ink-faint">
        Read <RelativeTime at={first.refreshedAt} />
      </p>
    </>
  );
}
