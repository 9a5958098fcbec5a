import type { InstallationView, RouteView } from "@/lib/contract/installation-view";
import { stepsOfPath } from "@/lib/domain/mapping/json-path";

type Route = Pick<RouteView, "kind" | "patterns">;
type Mapped = Pick<InstallationView["configuration"], "mappings" | "mappingFields">;

const VIN = "1HGCM82633A004352";

/** Something sensible to fire at a route first, as text to edit. */
export function samplePayload(route: Route, configuration: Mapped): string {
  return JSON.stringify(sampleValue(route, configuration), null, 2);
}

function sampleValue({ kind, patterns }: Route, configuration: Mapped): unknown {
  const [first] = patterns;
  switch (kind) {
    case "webhook":
      return { type: nameFor(first, "policy.issued"), data: { policyLocator: "POL-1001" } };
    case "autofill":
      return {
        operation: nameFor(first, "newBusiness.create"),
        policyLocator: "POL-1001",
        ...productData(configuration),
      };
    case "rater":
      return { policyLocator: "POL-1001", ...productData(configuration) };
    case "lifecycle":
      return {};
  }
}

/** `newBusiness.*` → `newBusiness.create`: a name that the pattern takes. */
function nameFor(pattern: string | undefined, fallback: string): string {
  return pattern?.replaceAll("*", "create") ?? fallback;
}

/** Data of the first product, with a value at each place where the customer said that the app finds one. */
function productData({ mappings, mappingFields }: Mapped): { productName?: string; data: unknown } {
  const [first] = mappings;
  if (first === undefined || mappingFields.length === 0) return { data: { vin: VIN } };
  const data: unknown = mappingFields
    .filter((field) => field.required)
    .reduce<unknown>((whole, field) => {
      const path = first.fields[field.name];
      return path === undefined
        ? whole
        : placed(whole, stepsOfPath(path), exampleOf(`${field.name} ${field.title} ${path}`));
    }, {});
  return { productName: first.productName, data };
}

function exampleOf(name: string): string | number {
  if (/kilomet|mile|distance/i.test(name)) return 14_000;
  if (/vin|chassis/i.test(name)) return VIN;
  if (/year/i.test(name)) return 2003;
  return "sample";
}

/** A copy of `whole` with `value` at the end of `steps`. */
function placed(whole: unknown, steps: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: unknown[] = Array.isArray(whole) ? whole : [];
    return list.length === 0 ? [placed(undefined, rest, value)] : list.with(0, placed(list[0], rest, value));
  }
  const members =
    typeof whole === "object" && whole !== null && !Array.isArray(whole)
      ? new Map(Object.entries(whole))
      : new Map<string, unknown>();
  return Object.fromEntries(members.set(step, placed(members.get(step), rest, value)));
}

/** Marks that turn the direction of what follows them. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

/** JSON laid out for reading; anything else as it is. Marks that turn text are escaped: it stays the same JSON. */
export function prettyPrint(text: string): string {
  return layOut(text).replace(TURNING, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The value of an edited payload; undefined when it is not JSON. */
export function parsePayload(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
