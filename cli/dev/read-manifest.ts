/** The app's manifest as the emulator uses it: the last valid one, and what is wrong with the file now. */
import { readFile } from "node:fs/promises";
import type { Manifest } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import type { Issue } from "@/lib/contract/problem";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { listNames } from "@/lib/domain/sample-payload";
import type { DevManifest, DevRoute } from "./contract/manifest";
import { appTitle } from "./platform/configure";

export interface ReadManifest {
  /** Undefined if the file has errors. */
  manifest?: Manifest;
  issues: Issue[];
  text: string;
}

export async function readManifest(file: string): Promise<ReadManifest> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) {
    const message = "The file doesn't exist anymore. The last valid manifest stays in use until it is back.";
    return { issues: checkManifest("").issues.map((issue) => ({ ...issue, message })), text: "" };
  }
  return { ...checkManifest(text), text };
}

export function describeManifest(file: string, manifest: Manifest, found: ReadManifest): DevManifest {
  return {
    ...{ file, name: manifest.name, version: manifest.version, title: appTitle(manifest) },
    routes: listRoutes(manifest),
    settings: listSettings(manifest).length,
    mappingFields: manifest.core?.fields?.length ?? 0,
    valid: found.manifest !== undefined,
    issues: found.issues,
    readAt: new Date().toISOString(),
  };
}

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
