/** What apps use, of the cluster's metrics API: one request answers for all of them. */
import { z } from "zod";
import type { AppLimits } from "../../platform/environment";
import type { Usage } from "../engines/runtime";
import { type Cluster, isClusterStatus } from "./client";
import { CONTAINER } from "./objects";

/** Clusters measure every 15 seconds or less often. */
const SHARED_MS = 5_000;

const metricsShape = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      containers: z.array(
        z.object({ name: z.string(), usage: z.object({ cpu: z.string(), memory: z.string() }) }),
      ),
    }),
  ),
});

interface UsageOptions {
  namespace: string;
  labelSelector: () => Promise<string>;
  limits: AppLimits;
}

/** @returns what reads the usage of a Pod by its name; undefined without a metrics API, or before it was measured */
export function createUsageReader(
  cluster: Cluster,
  { namespace, labelSelector, limits }: UsageOptions,
): (pod: string) => Promise<Usage | undefined> {
  let shared: { at: number; all: Promise<Map<string, Usage>> } | undefined;

  async function readAll(): Promise<Map<string, Usage>> {
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
    try {
      const answer = await cluster.send({ path, query: { labelSelector: await labelSelector() } });
      return new Map(
        metricsShape.parse(answer).items.flatMap(({ metadata, containers }) => {
          const app = containers.find(({ name }) => name === CONTAINER);
          return app === undefined ? [] : [[metadata.name, toUsage(app.usage, limits)] as const];
        }),
      );
    } catch (error) {
      // No metrics-server is installed, or it isn't ready.
      if (isClusterStatus(error, 404, 503)) return new Map();
      throw error;
    }
  }

  return async (pod) => {
    if (shared === undefined || performance.now() - shared.at > SHARED_MS)
      shared = { at: performance.now(), all: readAll() };
    return (await shared.all).get(pod);
  };
}

function toUsage({ cpu, memory }: { cpu: string; memory: string }, { cpus, memoryBytes }: AppLimits): Usage {
  return {
    cpuNs: null,
    cpuMillis: parseQuantity(cpu) * 1_000,
    memoryBytes: Math.round(parseQuantity(memory)),
    limits: { cpuMillis: Math.round(cpus * 1_000), memoryBytes },
  };
}

const FACTORS: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
};

/** Such as `12345n` of a core, `15m`, `104Mi` or `1e3`. */
export function parseQuantity(text: string): number {
  const [, number = "", unit = ""] = /^([\d.]+(?:e[+-]?\d+)?)([numkMGT]|[KMGT]i)?$/i.exec(text) ?? [];
  return Number(number || NaN) * (FACTORS[unit] ?? NaN);
}
