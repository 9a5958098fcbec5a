/** Puts the emulator together: the platform on this machine, for one app. Knows nothing of HTTP servers and terminals. */
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Runner } from "../app/runner";
import { listSecrets, maskSecrets } from "./answers";
import { answersFile, openCustomers } from "./customer-store";
import { fillInCustomer } from "./customers";
import { createHistory, type Emulator } from "./emulator";
import { createCore, createTokens } from "./local-core";
import { idleDrills } from "./run-drill";
import { readManifest, viewInstance, viewManifest } from "./snapshot";
import { createStateKeys } from "./state-api";
import { Supervisor } from "./supervise";

export interface EmulatorOptions {
  folder: string;
  manifestFile: string;
  manifest: Manifest;
  runner: Runner;
  /** URL of the emulator for this machine's programs, and for the app. */
  url: string;
  appUrl: string;
  stateFolder: string;
  version: string;
  readyMs?: number;
  /** Gets a warning if the answers of customers can't be kept. */
  note?: (line: string) => void;
}

/** The app is not started yet. New customers have made-up answers. */
export async function openEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { folder, manifestFile, manifest, runner, url, appUrl, stateFolder, version, readyMs, note } =
    options;
  const customers = await openCustomers(answersFile(stateFolder, folder), note);
  const found = await readManifest(manifestFile);
  const history = createHistory();
  const tokens = createTokens(url);
  const emulator: Emulator = {
    version,
    folder,
    manifestFile,
    url,
    appUrl,
    runner,
    customers,
    tokens,
    history,
    keys: createStateKeys(),
    core: createCore({ customers, tokens, appUrl, settings: () => emulator.settings }),
    app: new Supervisor({
      runner,
      stateApi: appUrl,
      readyMs,
      onChange: () => history.emit({ name: "instance", data: viewInstance(emulator) }),
      onLog: ({ stream, text }) => history.addLine({ stream, text: maskAll(emulator, text) }),
    }),
    launches: new Map(),
    checks: new Map(),
    drills: idleDrills(),
    manifest,
    manifestView: viewManifest(manifestFile, manifest, found),
    settings: { core: "normal", coreDelayMs: 3_000 },
  };
  for (const { id, fresh } of customers.list()) if (fresh) await fillInCustomer(emulator, id, "all");
  return emulator;
}

export async function closeEmulator({ app, runner }: Emulator): Promise<void> {
  await app.stop();
  await runner.close();
}

/** Without the secrets of any customer. */
function maskAll({ customers, manifest }: Emulator, text: string): string {
  const secrets = customers.list().flatMap((customer) => listSecrets(customer, manifest));
  return maskSecrets(text, secrets);
}
