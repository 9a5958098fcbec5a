import type { RouteKind } from "@/lib/contract/installation";
import type { Manifest } from "@/lib/contract/manifest";

export interface DeclaredRoute {
  kind: RouteKind;
  path: string;
  name: string;
  patterns: string[];
}

/** The routes of an installation of this manifest: one for each declared path, and one for the lifecycle. */
export function declaredRoutes(manifest: Manifest): DeclaredRoute[] {
  const { webhooks = [], autofill = [], externalRaters = [] } = manifest.core ?? {};
  return [
    ...webhooks.map(({ path, events }) => ({ kind: "webhook" as const, path, name: "", patterns: events })),
    ...autofill.map(({ path, operations }) => ({
      kind: "autofill" as const,
      path,
      name: "",
      patterns: operations,
    })),
    ...externalRaters.map(({ path, name }) => ({ kind: "rater" as const, path, name, patterns: [] })),
    { kind: "lifecycle", path: "/_app", name: "", patterns: [] },
  ];
}
