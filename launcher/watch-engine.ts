import { setTimeout as sleep } from "node:timers/promises";
import { moveDemoTenants } from "@/lib/server/demo/set-up-customer";
import { countReady } from "@/lib/server/instances/queries";
import type { Platform } from "@/lib/server/platform/platform";
import { moveSandboxes } from "@/lib/server/tenants/connect-sandbox";
import { chooseContainerAddresses } from "./addresses";
import { describeApps } from "./describe-apps";
import { findContainerAddress } from "./containers";
import type { Part } from "./part";
import { createContainerSettings, type Addresses, type Settings } from "./settings";
import type { Secrets } from "./data-folder/secrets";

const PROBE_MS = 5_000;
const MOVE_MS = 5 * 60_000;

export interface EngineWatch {
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
  const running = run(watch, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) console.error("A container engine was found, but it can't be used:", error);
  });
  return () => {
    ended.abort();
    return running;
  };
}

async function run(watch: EngineWatch, signal: AbortSignal): Promise<void> {
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
  console.log("A container engine is available now. Example apps are moving to containers.");
  const until = Date.now() + MOVE_MS;
  const isolated = async () => (await countReady(platform.db)).every(({ runtime }) => runtime !== "process");
  while (Date.now() < until && !(await isolated())) await sleep(PROBE_MS, undefined, { signal });
  console.log(`Apps ${describeApps(await countReady(platform.db), true)}.`);
}
