/** Everything that the page shows, as it is now. */
import { randomUUID } from "node:crypto";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { findManifestFile } from "../../manifest/manifest-file";
import { Failure } from "../../terminal/failure";
import type { DevInstance, DevManifest } from "../contract/app";
import type { DevCustomer } from "../contract/calls";
import type { DevSnapshot } from "../contract/snapshot";
import { appTitle, findMissing } from "./answers";
import { type LocalCustomer, productsOf } from "./customer-store";
import type { Emulator } from "./emulator";
import { coreApiUrl } from "./local-core";
import { listRoutes } from "./prepare-call";

const RUN_ID = randomUUID();

export function takeSnapshot(emulator: Emulator): DevSnapshot {
  const { version, folder, appUrl, manifestView, settings, customers, history, drills } = emulator;
  return {
    runId: RUN_ID,
    cliVersion: version,
    folder,
    stateApi: appUrl,
    answersFile: customers.file,
    manifest: manifestView,
    instance: viewInstance(emulator),
    settings,
    customers: listCustomers(emulator),
    calls: history.calls(),
    reads: history.reads(),
    log: history.log(),
    drills: [...drills.values()],
  };
}

export function viewInstance({ app, runner }: Emulator): DevInstance {
  return { ...app.status, how: runner.how, what: runner.what };
}

/** The app's manifest as the emulator uses it: the last valid one, and what is wrong with the file now. */
interface FoundManifest {
  /** Undefined if the file has errors or can't be read. */
  manifest?: Manifest;
  issues: Issue[];
  unreadable?: string;
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
  try {
    const found = await findManifestFile(file);
    if (found !== undefined) return checkManifest(found.text);
    return { issues: [], unreadable: `${file} is missing.` };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { issues: [], unreadable: error.message };
  }
}

export function viewManifest(file: string, manifest: Manifest, found: FoundManifest): DevManifest {
  return {
    file,
    name: manifest.name,
    version: manifest.version,
    title: appTitle(manifest),
    routes: listRoutes(manifest),
    settings: listSettings(manifest).length,
    mappingFields: manifest.core?.fields?.length ?? 0,
    valid: found.manifest !== undefined,
    unreadable: found.unreadable ?? null,
    issues: found.issues,
    readAt: new Date().toISOString(),
  };
}

export function listCustomers(emulator: Emulator): DevCustomer[] {
  return emulator.customers.list().map((customer) => viewCustomer(emulator, customer));
}

export function viewCustomer({ manifest, appUrl }: Emulator, customer: LocalCustomer): DevCustomer {
  const { id, name, tenantHostName, revision, productSet } = customer;
  const missing = findMissing(customer, manifest);
  return {
    id,
    name,
    tenantHostName,
    revision,
    missing,
    coreApiUrl: coreApiUrl(appUrl, customer),
    configured: missing.length === 0,
    products: productsOf(productSet).map((product) => product.name),
  };
}

/** For everyone who follows the emulator, after customers, their answers or the manifest changed. */
export function tellCustomers(emulator: Emulator): void {
  emulator.history.emit({ name: "customers", data: listCustomers(emulator) });
}
