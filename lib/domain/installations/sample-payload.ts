/** Names that a manifest declares, and payloads of a tenant's own products, to send test calls with. */
import { EVENT_CATALOG, findCatalogEvent } from "@/lib/contract/calls/event-catalog";
import type { ProductSample } from "@/lib/contract/insight/call";
import type { InstallationView, RouteView } from "@/lib/contract/installations/installation-view";
import { parsePayload } from "@/lib/contract/platform/problem";
import { matchPattern } from "../calls/events";
import { readSteps } from "../catalog/mapping/json-path";
import { editText } from "../platform/json-text/edit-text";
import { isRecord } from "../platform/json-text/json-value";

type Route = Pick<RouteView, "kind" | "patterns">;
type Mapped = Pick<InstallationView["configuration"], "mappings" | "mappingFields">;

const VIN = "1HGCM82633A004352";

/** Event types or operations that a route accepts: patterns such as `policy.*` as the catalog's events that match. */
export function listNames({ kind, patterns }: Route): string[] {
  if (kind !== "webhook" && kind !== "autofill") return [];
  const declared = patterns.length === 0 ? [kind === "webhook" ? "policy.*" : "newBusiness.*"] : patterns;
  const names = declared.flatMap((pattern) => {
    if (!pattern.includes("*")) return [pattern];
    const known = kind === "webhook" ? EVENT_CATALOG.filter(({ type }) => matchPattern(pattern, type)) : [];
    if (known.length > 0) return known.map(({ type }) => type);
    // `newBusiness.*` → `newBusiness.create`: a name that matches.
    return [pattern === "*" && kind === "webhook" ? "policy.issued" : pattern.replaceAll("*", "create")];
  });
  return [...new Set(names)];
}

export interface SampleChoice {
  route: Route;
  /** One of `listNames`; undefined for routes without. */
  name: string | undefined;
  /** Undefined if the tenant has none. */
  product: ProductSample | undefined;
}

/** A payload for a test call, as text to edit. */
export function samplePayload(choice: SampleChoice, configuration: Mapped): string {
  return JSON.stringify(createPayload(choice, configuration), null, 2);
}

function createPayload({ route: { kind }, name, product }: SampleChoice, configuration: Mapped): unknown {
  switch (kind) {
    case "webhook":
      return createEvent(name ?? "policy.issued", product, configuration);
    case "autofill":
      return { operation: name, policyLocator: "POL-1001", ...productData(product, configuration) };
    case "rater":
      return { policyLocator: "POL-1001", ...productData(product, configuration) };
    case "lifecycle":
    case "endpoint":
      return {};
  }
}

/** The catalog's sample with the tenant's own product. The platform fills in the rest of the event. */
function createEvent(type: string, product: ProductSample | undefined, configuration: Mapped): unknown {
  const sample = findCatalogEvent(type)?.sample.data;
  if (!isRecord(sample)) return { type, data: { policyLocator: "POL-1001" } };
  const own = product === undefined ? {} : productData(product, configuration);
  const data = Object.entries(sample).map(([key, value]) => [key, key in own ? own[key] : value]);
  return { type, data: Object.fromEntries(data) };
}

/** Data of a product, with a sample value at each required path that the customer mapped and that it does not have. */
function productData(
  product: ProductSample | undefined,
  { mappings, mappingFields }: Mapped,
): Record<string, unknown> {
  const mapping =
    product === undefined ? mappings[0] : mappings.find((each) => each.productName === product.name);
  const productName = product?.name ?? mapping?.productName;
  if (productName === undefined) return { data: { vin: VIN } };
  const data = mappingFields
    .filter((field) => field.required)
    .reduce<unknown>((whole, field) => {
      const path = mapping?.fields[field.name];
      if (path === undefined) return whole;
      const steps = readSteps(path);
      if (product?.given === true && hasValueAt(whole, steps)) return whole;
      const value = sampleFor(`${field.name} ${field.title} ${path}`);
      return value === undefined && hasValueAt(whole, steps)
        ? whole
        : withValueAt(whole, steps, value ?? "sample");
    }, product?.data ?? {});
  return { productName, data };
}

/** A value that an app can look up; undefined if the name says nothing. */
function sampleFor(name: string): string | number | undefined {
  if (/kilomet|mile|distance/i.test(name)) return 14_000;
  if (/vin|chassis/i.test(name)) return VIN;
  if (/year/i.test(name)) return 2003;
  return undefined;
}

type Steps = readonly (string | number)[];

function hasValueAt(whole: unknown, [step, ...rest]: Steps): boolean {
  if (step === undefined) return whole !== undefined;
  if (typeof step === "number") return Array.isArray(whole) && hasValueAt(whole[step], rest);
  return isRecord(whole) && Object.hasOwn(whole, step) && hasValueAt(whole[step], rest);
}

/** A copy of `whole` with `value` at the end of `steps`. */
function withValueAt(whole: unknown, steps: Steps, value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: unknown[] = Array.isArray(whole) ? whole : [];
    return list.length === 0
      ? [withValueAt(undefined, rest, value)]
      : list.with(0, withValueAt(list[0], rest, value));
  }
  const members = isRecord(whole) ? new Map(Object.entries(whole)) : new Map<string, unknown>();
  return Object.fromEntries(members.set(step, withValueAt(members.get(step), rest, value)));
}

/** What the platform adds to an event that is sent from here. */
const FILLED_IN = ["id", "timestamp", "transactionId", "username"];

/** A recorded payload as text to edit. The platform gives each event of the console an id of its own. */
export function editablePayload(kind: RouteView["kind"], payload: string): string {
  const value = parsePayload(payload);
  if (kind !== "webhook" || !isRecord(value)) return payload;
  const isFromConsole = typeof value.id === "string" && value.id.startsWith("console-");
  const dropped = isFromConsole ? FILLED_IN : ["id"];
  const members = Object.fromEntries(dropped.map((key) => [key, undefined]));
  return editText(payload, { type: "assign", path: [], members });
}
