/** Everything of an app that can be called. Pure. */
import type { Manifest } from "@/lib/contract/manifest";
import { Problem } from "@/lib/contract/problem";
import { listNames } from "@/lib/domain/sample-payload";
import type { DevRoute } from "../contract/manifest";

export function listRoutes(manifest: Manifest): DevRoute[] {
  const {
    webhooks = [],
    autofill = [],
    externalRaters = [],
    endpoints = [],
    lifecycle = [],
  } = manifest.core ?? {};
  const withNames = (kind: "webhook" | "autofill", path: string, patterns: string[]): DevRoute => ({
    ...{ route: `${kind}:${path}`, kind, path, title: path, patterns },
    names: listNames({ kind, patterns }),
    methods: ["POST"],
  });
  const plain = { patterns: [], names: [] };
  return [
    ...webhooks.map(({ path, events }) => withNames("webhook", path, events)),
    ...autofill.map(({ path, operations }) => withNames("autofill", path, operations)),
    ...externalRaters.map(({ path, name }): DevRoute => {
      const kind = "rater";
      return { ...plain, route: `${kind}:${path}`, kind, path, title: name, methods: ["POST"] };
    }),
    ...endpoints.map(({ path, methods, title }): DevRoute => {
      const kind = "endpoint";
      return { ...plain, route: `${kind}:${path}`, kind, path, title, methods };
    }),
    ...lifecycle.map((event): DevRoute => {
      const [kind, path] = ["lifecycle", `/_app/${event}`] as const;
      return { ...plain, route: `${kind}:${path}`, kind, path, title: event, methods: ["GET"] };
    }),
  ];
}

/** Throws NOT_FOUND with the routes that are declared. */
export function findRoute(manifest: Manifest, wanted: string): DevRoute {
  const routes = listRoutes(manifest);
  const found = routes.find(({ route }) => route === wanted);
  if (found !== undefined) return found;
  const known = routes.map(({ route }) => route).join(", ") || "none";
  throw new Problem("NOT_FOUND", `The manifest doesn't declare the route "${wanted}". Declared: ${known}.`);
}
