import { CircleCheck } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import type { DevCustomer } from "@/cli/dev/contract/customers";
import { useUrl, withParameters } from "../frame/location";
import { PageLink } from "../frame/page-link";
import { NewCustomer } from "./new-customer";

interface CustomerListProps {
  customers: readonly DevCustomer[];
  current: string | undefined;
}

export function CustomerList({ customers, current }: CustomerListProps) {
  const { href } = useUrl();
  return (
    <section aria-label="Customers" className="flex min-w-0 flex-col gap-3">
      {customers.length === 0 && (
        <p className="text-[13px] leading-5 text-ink-faint">
          There are no customers. Add one to send calls to your app.
        </p>
      )}
      <ul className="flex flex-col gap-1">
        {customers.map((customer) => (
          <li key={customer.id}>
            <PageLink
              href={withParameters({ area: "customers", customer: customer.id }, href)}
              aria-current={customer.id === current ? "true" : undefined}
              className={`flex min-w-0 flex-col gap-1 rounded-card border px-3 py-2.5 transition-colors ${
                customer.id === current
                  ? "border-accent-text bg-accent-soft"
                  : "border-line bg-surface hover:bg-hover"
              }`}
            >
              <span className="flex min-w-0 items-start justify-between gap-2">
                <span className="min-w-0 text-sm leading-6 font-medium wrap-anywhere text-ink">
                  {customer.name}
                </span>
                <CustomerBadge customer={customer} />
              </span>
              <span className="font-mono text-xs leading-5 break-all text-ink-faint">
                {customer.tenantHostName}
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
      <NewCustomer />
    </section>
  );
}

function CustomerBadge({ customer: { configured, missing } }: { customer: DevCustomer }) {
  return configured ? (
    <CircleCheck role="img" aria-label="Configured" className="mt-1 size-4 shrink-0 text-success" />
  ) : (
    <Badge tone="warning">{missing.length} missing</Badge>
  );
}
