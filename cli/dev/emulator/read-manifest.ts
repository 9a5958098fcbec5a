/** The app's manifest as the emulator uses it: the last valid one, and what is wrong with the file now. */
import { readFile } from "node:fs/promises";
import type { Manifest } from "@/lib/contract/manifest";
import { listSettings } from "@/lib/contract/manifest-terms";
import type { Issue } from "@/lib/contract/problem";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { appTitle } from "../answers/show-answers";
import type { DevManifest } from "../contract/manifest";
import type { Emulator } from "./emulator";
import { listRoutes } from "./list-routes";
import { tellCustomers } from "./view-customers";

interface FoundManifest {
  /** Undefined if the file has errors. */
  manifest?: Manifest;
  issues: Issue[];
}

/** After a change of the file. An invalid manifest changes nothing but what is said about it. */
export async function reloadManifest(emulator: Emulator): Promise<void> {
  const { manifestFile, history } = emulator;
  const found = await readManifest(manifestFile);
  emulator.manifest = found.manifest ?? emulator.manifest;
  emulator.manifestView = viewManifest(manifestFile, emulator.manifest, found);
  history.emit({ name: "manifest", data: emulator.manifestView });
  tellCustomers(emulator);
}

export async function readManifest(file: string): Promise<FoundManifest> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text !== undefined) return checkManifest(text);
  const message = "The file doesn't exist anymore. The last valid manifest stays in use until it is back.";
  return { issues: checkManifest("").issues.map((issue) => ({ ...issue, message })) };
}

export function viewManifest(file: string, manifest: Manifest, found: FoundManifest): DevManifest {
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
