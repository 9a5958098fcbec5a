import { applySettings, readAppLimits, readEnvironment } from "@/lib/server/platform/environment";
import { guardOptions } from "@/lib/server/runtime/egress";
import { createRuntimes } from "@/lib/server/runtime/engines/choose-runtime";
import type { GuardOptions } from "@/lib/server/runtime/engines/guard-link";
import { connectCluster } from "@/lib/server/runtime/kubernetes/client";
import type { ClusterGuardOptions } from "@/lib/server/runtime/kubernetes/guards";
import { type KubernetesRuntime, kubernetesRuntime } from "@/lib/server/runtime/kubernetes/kubernetes";
import { readPlatformId } from "@/lib/server/runtime/stray-queries";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { STUCK_LOOPS } from "@/lib/server/surface/metrics/all-metrics";
import { serveMetrics } from "@/lib/server/surface/metrics/serve-metrics";
import { openTraces } from "@/lib/server/surface/export-traces";
import { startWorker } from "./run-worker";
import { serveProbes } from "./serve-probes";

const environment = readEnvironment();
const platform = createPlatform(environment, "worker");
const egress = guardOptions(platform);
const warn = (message: string) => platform.log.warn(message);
const runtimes = createRuntimes(environment, chooseCluster(), { egress, warn });
const worker = startWorker(platform, runtimes);

function chooseCluster(): KubernetesRuntime | undefined {
  if (environment.PLATFORM_RUNTIME !== "kubernetes") return undefined;
  return kubernetesRuntime(connectCluster(environment), {
    namespace: environment.PLATFORM_KUBERNETES_NAMESPACE,
    log: platform.log,
    limits: readAppLimits(environment),
    pullSecret: environment.PLATFORM_KUBERNETES_PULL_SECRET,
    guardImage: environment.PLATFORM_KUBERNETES_GUARD_IMAGE,
    callers: environment.PLATFORM_KUBERNETES_CALLERS,
    stateApi: environment.PLATFORM_KUBERNETES_STATE_API,
    reachable: environment.PLATFORM_KUBERNETES_EGRESS,
    egress: egress && chooseGuards(egress),
    readOwner: () => readPlatformId(platform.db),
  });
}

function chooseGuards(options: GuardOptions): ClusterGuardOptions | undefined {
  if (environment.PLATFORM_EGRESS_SERVICE === "") return undefined;
  return {
    ...options,
    service: environment.PLATFORM_EGRESS_SERVICE,
    names: environment.PLATFORM_EGRESS_NAMES,
    pods: environment.PLATFORM_EGRESS_PODS,
    key: environment.PLATFORM_EGRESS_KEY,
    never: environment.PLATFORM_EGRESS_NEVER,
  };
}

let ending = false;
const openingTraces = openTraces(platform);
process.on("SIGTERM", () => void end());
process.on("SIGINT", () => void end());
process.on("message", (message) => {
  if (applySettings(environment, message)) worker.followStateApi();
});

await serveProbes(platform, { isDraining: () => ending, listStuck: () => worker.listStuck() });
platform.metrics.read(STUCK_LOOPS, () => [{ labels: {}, value: worker.listStuck().length }]);
await serveMetrics(platform);
await openingTraces;
const described = await runtimes.describe();
platform.log.info({ ready: true, runtimes: described }, "the worker is ready");
const isolating = described.filter(({ isolates }) => isolates);
if (environment.production && isolating.every(({ unavailable }) => unavailable !== undefined))
  platform.log.warn(`no app can start: ${isolating.map(({ unavailable }) => unavailable).join(" ")}`);
process.send?.({ ready: true, runtimes: described });

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  platform.log.info("draining");
  await worker
    .end()
    .catch((error: unknown) => platform.log.error({ err: error }, "the worker did not end cleanly"));
  // Work that is not done in time may still use the other connections: they end with the process.
  const traces = await openingTraces;
  await Promise.all([platform.services.close(), traces?.close()]);
  process.exit(0);
}
