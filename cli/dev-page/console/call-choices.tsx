import { useMutation } from "@tanstack/react-query";
import { ROUTE_KIND_LABELS } from "@/components/call/route-kinds";
import { SelectField } from "@/components/ui/select-field";
import { TextField } from "@/components/ui/text-fields";
import { CORE_SPEEDS } from "@/cli/dev/contract/core";
import type { DevCustomer } from "@/cli/dev/contract/customers";
import type { DevRoute } from "@/cli/dev/contract/manifest";
import { callApi } from "@/lib/client/api";
import { findCatalogEvent } from "@/lib/contract/event-catalog/event-catalog";
import { useDev } from "../connection/dev-context";
import { ALL, type useDraft } from "./use-draft";

interface CallChoicesProps {
  routes: readonly DevRoute[];
  customers: readonly DevCustomer[];
  route: DevRoute;
  customer: DevCustomer;
  name: string | undefined;
  method: string | undefined;
  product: string | undefined;
  draft: ReturnType<typeof useDraft>[0];
  change: ReturnType<typeof useDraft>[1];
}

/** Selects what is sent, to what, and how fast the core behind it answers. */
export function CallChoices(props: CallChoicesProps) {
  const { routes, customers, route, customer, name, method, product, draft, change } = props;
  const { route: id, kind } = route;
  return (
    <div className="grid min-w-0 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <SelectField
        label="Route"
        isRequired
        options={routes.map((each) => ({
          value: each.route,
          text: `${ROUTE_KIND_LABELS[each.kind]} ${each.path}`,
          detail: each.title === each.path ? undefined : each.title,
        }))}
        value={id}
        onChange={(chosen) => change({ route: chosen })}
      />
      <SelectField
        label="Customer"
        isRequired
        options={[
          ...customers.map((each) => ({ value: each.id, text: each.name })),
          ...(customers.length > 1 ? [{ value: ALL, text: "All customers" }] : []),
        ]}
        value={draft.customer === ALL ? ALL : customer.id}
        onChange={(chosen) => change({ customer: chosen })}
      />
      {name !== undefined && (
        <SelectField
          label={kind === "webhook" ? "Event type" : "Operation"}
          isRequired
          options={route.names.map((value) => ({
            value,
            text: value,
            detail: kind === "webhook" ? findCatalogEvent(value)?.title : undefined,
          }))}
          value={name}
          onChange={(chosen) => change({ names: { ...draft.names, [id]: chosen } })}
        />
      )}
      {kind === "endpoint" && method !== undefined && (
        <SelectField
          label="Method"
          isRequired
          options={route.methods.map((value) => ({ value, text: value }))}
          value={method}
          onChange={(chosen) => change({ methods: { ...draft.methods, [id]: chosen } })}
        />
      )}
      {kind === "endpoint" && (
        <TextField
          label="Path"
          isRequired
          mono
          autoComplete="off"
          value={draft.paths[id] ?? samplePath(route)}
          onChange={(path) => change({ paths: { ...draft.paths, [id]: path } })}
        />
      )}
      {product !== undefined && customer.products.length > 1 && kind !== "lifecycle" && (
        <SelectField
          label="Product"
          isRequired
          options={customer.products.map((value) => ({ value, text: value }))}
          value={product}
          onChange={(chosen) => change({ product: chosen })}
        />
      )}
      <CoreSpeed />
    </div>
  );
}

/** A path of the endpoint, with room for a query. */
export function samplePath({ path }: DevRoute): string {
  return path.replace(/\*$/, "sample");
}

const SPEEDS = { normal: "Normal", slow: "Slow", silent: "Silent" } as const;

/** How the made-up core answers, for this and all later calls. */
function CoreSpeed() {
  const settings = useDev("settings");
  const save = useMutation({
    mutationFn: (core: (typeof CORE_SPEEDS)[number]) =>
      callApi("PUT", "/api/dev/settings", { body: { ...settings, core } }),
  });
  const details = {
    normal: "responds immediately",
    slow: `responds after ${settings.coreDelayMs / 1000} s`,
    silent: "never responds",
  };
  return (
    <SelectField
      label="Core"
      isRequired
      options={CORE_SPEEDS.map((value) => ({ value, text: SPEEDS[value], detail: details[value] }))}
      value={settings.core}
      onChange={(value) => {
        const core = CORE_SPEEDS.find((each) => each === value);
        if (core !== undefined) save.mutate(core);
      }}
    />
  );
}
