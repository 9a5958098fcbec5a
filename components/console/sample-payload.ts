import type { InstallationView, RouteView } from "@/lib/contract/installation-view";
import { readSteps } from "@/lib/domain/mapping/json-path";

type Route = Pick<RouteView, "kind" | "patterns">;
type Mapped = Pick<InstallationView["configuration"], "mappings" | "mappingFields">;

const VIN = "1HGCM82633A004352";

/** A payload for the first test call, as text to edit. */
export function samplePayload(route: Route, configuration: Mapped): string {
  return JSON.stringify(sampleValue(route, configuration), null, 2);
}

function sampleValue({ kind, patterns }: Route, configuration: Mapped): unknown {
  const [first] = patterns;
  switch (kind) {
    case "webhook":
      return { type: matchingName(first, "policy.issued"), data: { policyLocator: "POL-1001" } };
    case "autofill":
      return {
        operation: matchingName(first, "newBusiness.create"),
        policyLocator: "POL-1001",
        ...productData(configuration),
      };
    case "rater":
      return { policyLocator: "POL-1001", ...productData(configuration) };
    case "lifecycle":
    case "endpoint":
      return {};
  }
}

/** `newBusiness.*` → `newBusiness.create`: a name that matches the pattern. */
function matchingName(pattern: string | undefined, fallback: string): string {
  return pattern?.replaceAll("*", "create") ?? fallback;
}

/** Data of the first product, with a sample value at each path that the customer mapped. */
function productData({ mappings, mappingFields }: Mapped): { productName?: string; data: unknown } {
  const [first] = mappings;
  if (first === undefined || mappingFields.length === 0) return { data: { vin: VIN } };
  const data: unknown = mappingFields
    .filter((field) => field.required)
    .reduce<unknown>((whole, field) => {
      const path = first.fields[field.name];
      return path === undefined
        ? whole
        : withValueAt(whole, readSteps(path), sampleFor(`${field.name} ${field.title} ${path}`));
    }, {});
  return { productName: first.productName, data };
}

function sampleFor(name: string): string | number {
  if (/kilomet|mile|distance/i.test(name)) return 14_000;
  if (/vin|chassis/i.test(name)) return VIN;
  if (/year/i.test(name)) return 2003;
  return "sample";
}

/** A copy of `whole` with `value` at the end of `steps`. */
function withValueAt(whole: unknown, steps: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: unknown[] = Array.isArray(whole) ? whole : [];
    return list.length === 0
      ? [withValueAt(undefined, rest, value)]
      : list.with(0, withValueAt(list[0], rest, value));
  }
  const members =
    typeof whole === "object" && whole !== null && !Array.isArray(whole)
      ? new Map(Object.entries(whole))
      : new Map<string, unknown>();
  return Object.fromEntries(members.set(step, withValueAt(members.get(step), rest, value)));
}

/** Marks that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Formatted JSON; other text as it is. Direction marks are escaped, which keeps the JSON the same. */
export function prettyPrint(text: string): string {
  return formatJson(text).replace(DIRECTION_MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The value of an edited payload; undefined if it is not valid JSON. */
export function parsePayload(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
