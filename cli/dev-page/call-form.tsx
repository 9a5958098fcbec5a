import { useMutation } from "@tanstack/react-query";
import { RotateCcw, WandSparkles } from "lucide-react";
import * as z from "zod";
import { ROUTE_KIND_LABELS } from "@/components/insight/call-log/describe-call";
import { type CheckedPayload, PayloadNotes } from "@/components/installations/console/check-payload";
import { Button } from "@/components/ui/button";
import { TextArea, TextField } from "@/components/ui/forms/fields";
import { SelectField } from "@/components/ui/forms/select-field";
import { ProblemNotice } from "@/components/ui/problem-notice";
import { callApi } from "@/lib/client/api";
import { useSessionState } from "@/lib/client/session-state";
import { findCatalogEvent } from "@/lib/contract/calls/event-catalog";
import { formatText } from "@/lib/domain/platform/json-text/text-format";
import type { DevRoute } from "../dev/contract/app";
import type { DevCustomer } from "../dev/contract/calls";
import { CORE_SPEEDS } from "../dev/contract/drills";
import { useDev } from "./frame/connection";

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

const ROWS = { least: 8, most: 18 };

interface PayloadFieldProps {
  label: string;
  payload: string;
  checked: CheckedPayload;
  /** Nothing was typed. */
  isSample: boolean;
  isLoading: boolean;
  /** The user tried to send what is not JSON. */
  wasRefused: boolean;
  /** Why there is no sample. */
  error: unknown;
  /** Undefined: back to the sample. */
  onChange: (text: string | undefined) => void;
}

/** JSON to send, with errors and hints about it. */
export function PayloadField(props: PayloadFieldProps) {
  const { label, payload, isSample, isLoading, wasRefused, error, onChange } = props;
  const { parsed, issues } = props.checked;
  const lines = payload.split("\n").length;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextArea
        label={label}
        isRequired
        mono
        rows={Math.min(ROWS.most, Math.max(ROWS.least, lines))}
        value={payload}
        onChange={onChange}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-64">
          {!isLoading && (
            <PayloadNotes issues={issues} isBroken={parsed === undefined} wasRefused={wasRefused} />
          )}
          <ProblemNotice error={error} />
        </div>
        <div className="flex gap-1">
          {!isSample && (
            <Button tone="quiet" size="small" onPress={() => onChange(undefined)}>
              <RotateCcw aria-hidden className="size-4" />
              Reset
            </Button>
          )}
          <Button
            tone="quiet"
            size="small"
            isDisabled={parsed === undefined}
            onPress={() => onChange(formatText(payload))}
          >
            <WandSparkles aria-hidden className="size-4" />
            Format
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Every customer gets the call. */
export const ALL = "all";

const byRoute = z.record(z.string(), z.string());

const draft = z.object({
  route: z.string(),
  /** One of them, or `ALL`. */
  customer: z.string(),
  /** Event type or operation. */
  names: byRoute,
  methods: byRoute,
  paths: byRoute,
  product: z.string(),
  /** Payloads that differ from the sample, by route, name and product. */
  typed: byRoute,
});
type Draft = z.infer<typeof draft>;

const EMPTY: Draft = { route: "", customer: "", names: {}, methods: {}, paths: {}, product: "", typed: {} };

/** What is chosen and typed in the console, also while another area is shown. */
export function useDraft(): [Draft, (changed: Partial<Draft>) => void] {
  return useSessionState("dev-console", draft, EMPTY);
}
