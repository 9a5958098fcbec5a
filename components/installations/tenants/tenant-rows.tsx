import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/links";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ListedTenant } from "@/lib/contract/installations/installation-view";
import { ConnectionBadge } from "./connection-result";

export function TenantRows({ tenants }: { tenants: readonly ListedTenant[] }) {
  return (
    <ul aria-label="Tenants" className="divide-y divide-line">
      {tenants.map((tenant) => (
        <TenantRow key={tenant.id} tenant={tenant} />
      ))}
    </ul>
  );
}

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
        <p translate="no" className="font-mono text-xs wrap-anywhere text-ink-faint">
          {hostName}
        </p>
      </div>
      <p className="text-small text-ink-soft tabular-nums sm:w-24">
        {products} {products === 1 ? "product" : "products"}
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
