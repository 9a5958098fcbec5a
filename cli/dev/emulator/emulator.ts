/** What everything in the emulator shares: one app, its made-up customers, and what happened to them. */
import type { CheckResult } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { Problem } from "@/lib/contract/platform/problem";
import type { Runner } from "../app/runner";
import type { DevLogLine, DevManifest } from "../contract/app";
import type { DevCall, DevRead } from "../contract/calls";
import type { DevDrill, DevSettings, DrillName } from "../contract/drills";
import type { DevEventData, DevEventName } from "../contract/snapshot";
import { findMissing } from "./answers";
import type { CustomerStore, LocalCustomer } from "./customer-store";
import type { LocalCore, LocalTokens } from "./local-core";
import type { StateKeys } from "./state-api";
import type { Supervisor } from "./supervise";

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

export function findCustomer({ customers }: Emulator, id: string): LocalCustomer {
  const customer = customers.find(id);
  if (customer === undefined) throw new Problem("NOT_FOUND", "This customer doesn't exist.");
  return customer;
}

/** For calls, which the platform sends only to installations that are configured. */
export function findConfigured(emulator: Emulator, id: string): LocalCustomer {
  const customer = findCustomer(emulator, id);
  const issues = findMissing(customer, emulator.manifest);
  const [missing] = issues;
  if (missing === undefined) return customer;
  throw new Problem(
    "WRONG_STATE",
    `${customer.name} isn't configured: ${missing.message} Open ${emulator.url} and fill in its configuration.`,
    issues,
  );
}

const KEPT = 200;
const KEPT_LINES = 1_000;

export type DevEvent = { [Name in DevEventName]: { name: Name; data: DevEventData[Name] } }[DevEventName];

interface DevHistory {
  /** Newest first. */
  calls(): DevCall[];
  reads(): DevRead[];
  /** Oldest first. */
  log(): DevLogLine[];
  findCall(id: string): DevCall | undefined;
  putCall(call: DevCall): void;
  addRead(read: DevRead): void;
  addLine(line: Omit<DevLogLine, "id" | "at">): void;
  emit(event: DevEvent): void;
  /** Returns a function that ends it. */
  follow(listener: (event: DevEvent) => void): () => void;
}

/** What happened since the start, bounded, and everybody who follows it. */
export function createHistory(): DevHistory {
  let calls: DevCall[] = [];
  let reads: DevRead[] = [];
  let log: DevLogLine[] = [];
  let lines = 0;
  const listeners = new Set<(event: DevEvent) => void>();
  const emit = (event: DevEvent) => {
    for (const listener of listeners) listener(event);
  };
  return {
    calls: () => calls,
    reads: () => reads,
    log: () => log,
    findCall: (id) => calls.find((call) => call.id === id),
    putCall: (call) => {
      const known = calls.some(({ id }) => id === call.id);
      calls = known
        ? calls.map((each) => (each.id === call.id ? call : each))
        : [call, ...calls].slice(0, KEPT);
      emit({ name: "call", data: call });
    },
    addRead: (read) => {
      reads = [read, ...reads].slice(0, KEPT);
      emit({ name: "read", data: read });
    },
    addLine: (entry) => {
      const line = { id: lines++, at: new Date().toISOString(), ...entry };
      log = [...log, line].slice(-KEPT_LINES);
      emit({ name: "log", data: line });
    },
    emit,
    follow: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
