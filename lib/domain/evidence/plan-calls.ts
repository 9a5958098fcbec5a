import type { RouteKind } from "@/lib/contract/installation-states";
import type { Manifest } from "@/lib/contract/manifest";
import { listNames } from "../sample-payload";

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
