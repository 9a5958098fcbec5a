import { Unplug, Users } from "lucide-react";
import { useState } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { useDev } from "../connection/dev-context";
import { useUrl, withParameters } from "../frame/location";
import { PageLink } from "../frame/page-link";
import { CallEditor } from "./call-editor";
import { CallHistory } from "./call-history";
import { CallResults } from "./call-results";

/** Sends everything that the manifest declares, as the platform would. */
export function ConsoleArea() {
  const { routes } = useDev("manifest");
  const customers = useDev("customers");
  const { href } = useUrl();
  const [sent, setSent] = useState<readonly string[]>([]);
  if (routes.length === 0)
    return (
      <EmptyState icon={Unplug} title="The manifest declares no routes">
        Add webhooks, autofill, external raters, or endpoints to platform-app.json. They appear here when you
        save it.
      </EmptyState>
    );
  if (customers.length === 0)
    return (
      <EmptyState
        icon={Users}
        title="There are no customers"
        action={
          <PageLink
            href={withParameters({ area: "customers" }, href)}
            className="font-medium text-accent-text underline"
          >
            Add a customer
          </PageLink>
        }
      >
        A call is always made for a customer.
      </EmptyState>
    );
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <CallEditor routes={routes} customers={customers} onSent={setSent} />
      <CallResults ids={sent} />
      <CallHistory onSent={setSent} />
    </div>
  );
}
