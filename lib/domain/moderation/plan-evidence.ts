import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Manifest, Setting } from "@/lib/contract/catalog/manifest";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import { listNames } from "../installations/sample-payload";

/** A sample call of a declared route. */
export interface PlannedCall {
  kind: RouteKind;
  path: string;
  method: "GET" | "POST";
  /** The event type or operation, for kinds that have one. */
  name?: string;
  /** For people. */
  what: string;
}

/** Of one route, and of a whole version: a manifest may declare thousands. */
const NAMES = 3;
const CALLS = 24;

/** `skipped`: what gets no call. */
export function planCalls(manifest: Pick<Manifest, "core">): { calls: PlannedCall[]; skipped: string[] } {
  const { webhooks = [], autofill = [], externalRaters = [], endpoints = [] } = manifest.core ?? {};
  const named = (kind: "webhook" | "autofill", path: string, patterns: string[]): PlannedCall[] =>
    listNames({ kind, patterns })
      .slice(0, NAMES)
      .map((name) => ({ kind, path, method: "POST", name, what: `POST ${path} (${name})` }));
  const callable = endpoints.flatMap(({ path, methods }) => {
    const method = methods.find((each) => each === "GET" || each === "POST");
    const sample = path.replace(/\*$/, "sample");
    return method === "GET" || method === "POST"
      ? [{ kind: "endpoint" as const, path: sample, method, what: `${method} ${sample}` }]
      : [];
  });
  const planned = [
    ...webhooks.flatMap(({ path, events }) => named("webhook", path, events)),
    ...autofill.flatMap(({ path, operations }) => named("autofill", path, operations)),
    ...externalRaters.map(({ path }) => ({
      kind: "rater" as const,
      path,
      method: "POST" as const,
      what: `POST ${path}`,
    })),
    ...callable,
  ];
  const uncallable = endpoints.filter(({ methods }) => !methods.includes("GET") && !methods.includes("POST"));
  return {
    calls: planned.slice(0, CALLS),
    skipped: [
      ...planned.slice(CALLS).map(({ what }) => what),
      ...uncallable.map(({ path, methods }) => `${methods[0] ?? ""} ${path}`),
    ],
  };
}

// Made-up customers: what they answer to an app's questions, so that they can be told apart.

export interface InventedSetting {
  name: string;
  value: string;
  /** Must never be in a log or an answer. */
  secret: boolean;
}

/** @param customer 0 or 1 @param marker letters and digits that occur nowhere else @param secret the same, for secrets */
export function inventSetting(
  setting: Setting,
  customer: number,
  { marker, secret }: { marker: string; secret: string },
): InventedSetting {
  const { name, values = [] } = setting;
  if (setting.type === "Select") {
    const value = values[customer % Math.max(1, values.length)]?.value ?? "";
    return { name, value, secret: false };
  }
  if (isSensitive(setting)) return { name, value: `canary-${secret}-${name}`, secret: true };
  return { name, value: inventText(`${name} ${setting.title}`, marker, customer), secret: false };
}

/** In the form that its name suggests, because apps check what customers enter. */
function inventText(name: string, marker: string, customer: number): string {
  if (/e-?mail/i.test(name)) return `${marker}@sample.example`;
  if (/\b(url|uri|endpoint|web ?site)|(url|uri)\b/i.test(name)) return `https://${marker}.sample.example`;
  if (/host|domain/i.test(name)) return `${marker}.sample.example`;
  if (/percent|count|limit|days|hours|minutes|number of|amount|factor|rate\b/i.test(name))
    return String(10 + customer);
  return `sample-${marker}`;
}
