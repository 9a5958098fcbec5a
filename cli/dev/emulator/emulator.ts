/** What everything in the emulator shares: one app, its made-up customers, and what happened to them. */
import type { CheckResult } from "@/lib/contract/configuration-check";
import type { Manifest } from "@/lib/contract/manifest";
import type { CustomerStore } from "../answers/customer-store";
import type { Runner } from "../app/runner";
import type { Supervisor } from "../app/supervise";
import type { DevSettings } from "../contract/core";
import type { DevDrill, DrillName } from "../contract/drills";
import type { DevManifest } from "../contract/manifest";
import type { LocalCore } from "../platform/local-core";
import type { LocalTokens } from "../platform/local-tokens";
import type { StateKeys } from "../platform/state-keys";
import type { DevHistory } from "./history";

export interface Emulator {
  /** Of the command line. */
  readonly version: string;
  /** The app's, and the manifest in it. */
  readonly folder: string;
  readonly manifestFile: string;
  /** URL of the emulator for programs of this machine, and for the app. */
  readonly url: string;
  readonly appUrl: string;
  readonly runner: Runner;
  readonly app: Supervisor;
  readonly customers: CustomerStore;
  readonly keys: StateKeys;
  readonly tokens: LocalTokens;
  readonly core: LocalCore;
  readonly history: DevHistory;
  /** By id of the customer: whether its lifecycle hooks succeeded. One that failed is not kept. */
  readonly launches: Map<string, Promise<boolean>>;
  /** Checks of settings by id; undefined while the app checks them. */
  readonly checks: Map<string, CheckResult | undefined>;
  /** As they ended last, in the order of `DRILL_NAMES`. */
  readonly drills: Map<DrillName, DevDrill>;
  /** The last valid one. */
  manifest: Manifest;
  /** The same for people, with the issues of the file as it is now. */
  manifestView: DevManifest;
  settings: DevSettings;
}

export function changeSettings(emulator: Emulator, settings: DevSettings): DevSettings {
  emulator.settings = settings;
  emulator.history.emit({ name: "settings", data: settings });
  return settings;
}
