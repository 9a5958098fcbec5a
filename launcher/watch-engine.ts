import { setTimeout as sleep } from "node:timers/promises";
import { moveDemoTenants } from "@/demo/seed";
import { describeIsolation } from "@/lib/domain/runtime/isolation";
import { moveSandboxes } from "@/lib/server/installations/tenants/connect-sandbox";
import type { Platform } from "@/lib/server/platform/platform";
import { getPageUrl } from "@/lib/server/runtime/check-isolation";
import { countReady } from "@/lib/server/runtime/instance-queries";
import { readIsolation } from "@/lib/server/runtime/isolation";
import { chooseContainerAddresses, findContainerAddress } from "./addresses";
import type { Secrets } from "./data-folder/secrets";
import type { Part } from "./part";
import { type Addresses, createContainerSettings, type Settings } from "./settings";

const PROBE_MS = 5_000;
const MOVE_MS = 5 * 60_000;

interface EngineWatch {
  platform: Platform;
  settings: Settings;
  secrets: Secrets;
  addresses: Addresses;
  gateway: Part;
  worker: Part;
  web: Part;
  /** With the demo's core, and how its environment follows from the addresses. */
  demo: { core: Part; createCoreEnvironment: (addresses: Addresses) => Record<string, string> } | undefined;
}

/**
 * For a platform that started without a container engine: looks for one until it responds, then lets containers reach the
 * state API and the demo's core. The worker then moves the example apps. Returns how to end it.
 */
export function watchEngine(watch: EngineWatch): () => Promise<void> {
  const ended = new AbortController();
  const running = adoptEngine(watch, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) console.error("A container engine was found, but it can't be used:", error);
  });
  return () => {
    ended.abort();
    return running;
  };
}

async function adoptEngine(watch: EngineWatch, signal: AbortSignal): Promise<void> {
  let container;
  do {
    await sleep(PROBE_MS, undefined, { signal });
    container = await findContainerAddress();
  } while (container === undefined);
  const { platform, settings, secrets, gateway, worker, web, demo } = watch;
  const { corePort } = watch.addresses;
  const addresses = {
    ...watch.addresses,
    ...(await chooseContainerAddresses(settings, secrets, container, corePort)),
  };
  if (demo !== undefined) {
    // Its former address stays valid for calls in progress.
    demo.core.configure(demo.createCoreEnvironment(addresses));
    await demo.core.restart();
  }
  gateway.tell(createContainerSettings(addresses));
  if (demo !== undefined) {
    await moveDemoTenants(platform, addresses.coreUrl);
    if (settings.env.PLATFORM_SANDBOX_CORE_URL === undefined) {
      const sandboxCore = { PLATFORM_SANDBOX_CORE_URL: addresses.coreUrl };
      for (const part of [gateway, worker, web]) part.configure(sandboxCore);
      await moveSandboxes(platform, addresses.coreUrl);
      await web.restart();
    }
  }
  worker.tell(createContainerSettings(addresses));
  if (demo === undefined) {
    console.log("A container engine is available now. Apps run in containers.");
    return;
  }
  console.log("A container engine is available now. Example apps are moving to containers.");
  const until = Date.now() + MOVE_MS;
  const isolated = async () => (await countReady(platform.db)).every(({ runtime }) => runtime !== "process");
  while (Date.now() < until && !(await isolated())) await sleep(PROBE_MS, undefined, { signal });
  console.log(`Apps ${describeApps(await countReady(platform.db), true)}.`);
}

const POLL_MS = 2_000;
/** A worker that started less than a minute ago has checked, and this start repeats what it found. */
const REPEAT_AFTER_MS = 15_000;

/** Prints what the worker finds that apps can reach, once per result that differs from the last. Returns how to end it. */
export function watchIsolation(platform: Platform, print: (line: string) => void): () => Promise<void> {
  const ended = new AbortController();
  const running = reportChanges(platform, print, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) console.error("Couldn't read what apps can reach:", error);
  });
  return () => {
    ended.abort();
    return running;
  };
}

async function reportChanges(
  platform: Platform,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = new Date();
  let printed = "";
  while (!signal.aborted) {
    const isolation = await readIsolation(platform);
    const isNew = isolation.checkedAt !== null && new Date(isolation.checkedAt) >= startedAt;
    const isLate = Date.now() - startedAt.getTime() > REPEAT_AFTER_MS;
    const text = describeIsolation(isolation, getPageUrl(platform)).join("\n");
    if ((isNew || isLate) && text !== "" && text !== printed) {
      print(text);
      printed = text;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

/** How many apps run on a runtime. */
export interface RunningApps {
  runtime: string;
  count: number;
}

/** What applies to the apps that run now, no matter what the engine could do. */
export function describeApps(running: readonly RunningApps[], engine: boolean): string {
  const count = (process: boolean) =>
    running
      .filter(({ runtime }) => (runtime === "process") === process)
      .reduce((sum, each) => sum + each.count, 0);
  const processes = count(true);
  if (processes === 0 && engine) return "run in containers, isolated from this machine and from each other";
  if (!engine) return "run as plain processes without isolation (no container engine)";
  const all = processes + count(false);
  return `run as plain processes without isolation: ${processes} of ${all}, until they have moved to containers`;
}
