import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { EndpointAccess } from "@/lib/contract/platform/manifest-terms";

export interface DeclaredRoute {
  kind: RouteKind;
  path: string;
  name: string;
  patterns: string[];
  /** Only for endpoints. */
  access?: EndpointAccess;
  openedAt?: Date;
}

/**
 * The routes of an installation of this manifest: one for each declared path, and one for the lifecycle. `openEndpoints`:
 * the customer agreed to open the public endpoints that are new to the installation.
 */
export function declaredRoutes(manifest: Manifest, openEndpoints: boolean): DeclaredRoute[] {
  const { webhooks = [], autofill = [], externalRaters = [], endpoints = [] } = manifest.core ?? {};
  return [
    ...webhooks.map(({ path, events }) => ({ kind: "webhook" as const, path, name: "", patterns: events })),
    ...autofill.map(({ path, operations }) => ({
      kind: "autofill" as const,
      path,
      name: "",
      patterns: operations,
    })),
    ...externalRaters.map(({ path, name }) => ({ kind: "rater" as const, path, name, patterns: [] })),
    ...endpoints.map(({ path, title, methods, access }) => ({
      kind: "endpoint" as const,
      path,
      name: title,
      patterns: methods,
      access,
      ...(access === "public" && openEndpoints ? { openedAt: new Date() } : {}),
    })),
    { kind: "lifecycle", path: "/_app", name: "", patterns: [] },
  ];
}
