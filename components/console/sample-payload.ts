import type { RouteView } from "@/lib/contract/installation-view";

/** `policy.*` → `policy.sample`: a name that the pattern takes. */
function nameFor(pattern: string | undefined, fallback: string): string {
  return pattern === undefined ? fallback : pattern.replaceAll("*", "create");
}

const VIN = "1HGCM82633A004352";

/** Something sensible to fire at a route first, as text to edit. */
export function samplePayload(route: Pick<RouteView, "kind" | "patterns">): string {
  return JSON.stringify(sampleValue(route), null, 2);
}

function sampleValue({ kind, patterns }: Pick<RouteView, "kind" | "patterns">): unknown {
  const [first] = patterns;
  switch (kind) {
    case "webhook":
      return { type: nameFor(first, "policy.issued"), data: { policyLocator: "POL-1001" } };
    case "autofill":
      return { operation: nameFor(first, "newBusiness.create"), policyLocator: "POL-1001", data: { vin: VIN } };
    case "rater":
      return { policyLocator: "POL-1001", data: { vehicle: { vin: VIN, annualKilometres: 14000 } } };
    case "lifecycle":
      return {};
  }
}

/** JSON laid out for reading; anything else as it is. */
export function prettyPrint(text: string): string {
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
