/**
 * Apps as Pods of a Kubernetes cluster. The platform starts, checks, calls and replaces each Pod itself, by its own address; the version's
 * Service only owns what belongs to it. See docs/decisions/047-pods-of-a-service.md.
 */
import { z } from "zod";
import type { EgressWay } from "@/lib/contract/runtime/egress";
import type { Peer } from "@/lib/domain/platform/network-peers";
import type { AppLimits } from "../../platform/environment";
import { type FailureLog, reportFailure, reportSuccess } from "../../platform/database/repeated-failures";
import type { ChangeWatch, Found, Inspection, Runtime, Stopped } from "../engines/runtime";
import { InstanceFailure } from "../engines/runtime";
import { type Cluster, explainErrors, isClusterStatus } from "./client";
import { type ClusterGuardOptions, type ClusterGuards, createClusterGuards } from "./guards";
import { readLog, readTail } from "./logs";
import {
  type AppOptions,
  createBudget,
  GUARDED_LABEL,
  nameVersion,
  NOTICE_SECONDS,
  OWNER_LABEL,
  START_ANNOTATION,
  VERSION_LABEL,
} from "./objects";
import {
  createHandle,
  describeLeaving,
  describeVersion,
  findEnd,
  findExitCode,
  findOrigin,
  findOwnLimit,
  isLeaving,
  isReady,
  isServing,
  NOWHERE,
  type Pod,
  readHandle,
  readVersionId,
} from "./pod";
import { applyShared, startPod } from "./start-pod";
import { createUsageReader } from "./usage";
import { type PodWatch, watchPods } from "./watch";

/** As long as clusters usually take to add a node. */
const ROOM_MS = 2 * 60_000;
/** A node that has not ended a Pod so long after its grace doesn't respond. */
const NODE_MS = 20_000;
const LOG_MS = 15_000;
const PROBE_MS = 3_000;

/** 128 and the number of SIGKILL. */
const KILLED = 137;

export interface KubernetesOptions {
  /** Where apps run. The platform itself should run in another one. */
  namespace: string;
  log: FailureLog;
  limits: AppLimits;
  pullSecret: string;
  guardImage: string;
  callers: readonly Peer[];
  stateApi: readonly Peer[];
  reachable: readonly Peer[];
  /** Undefined if apps have the cluster's network. */
  egress?: ClusterGuardOptions | undefined;
  /** An id of this platform's database, which labels everything that it owns in the namespace. */
  readOwner: () => Promise<string>;
  /** How long a start waits for a node with room. */
  roomMs?: number;
}

export interface Driver {
  cluster: Cluster;
  log: FailureLog;
  watch: PodWatch;
  guards: ClusterGuards | undefined;
  describe: () => Promise<AppOptions>;
  namespace: string;
  memoryBytes: number;
  roomMs: number;
  owner: () => Promise<string>;
  labelSelector: () => Promise<string>;
  /** Ends the Pod of a replica that is about to be started again. */
  stop: (handle: string, graceSeconds: number) => Promise<Stopped>;
  /** Pods that this process ends itself. */
  ending: Set<string>;
}

export interface KubernetesRuntime {
  runtime: Runtime;
  /** Undefined if apps can be started; otherwise why not, for the operator. */
  findFailure: () => Promise<InstanceFailure | undefined>;
}

export function kubernetesRuntime(cluster: Cluster, options: KubernetesOptions): KubernetesRuntime {
  const { namespace, log, readOwner, limits, roomMs = ROOM_MS } = options;
  let known: string | undefined;
  const owner = async () => (known ??= await readOwner());
  const labelSelector = async () => `${OWNER_LABEL}=${await owner()}`;
  const watch = watchPods(cluster, { namespace, log, labelSelector });
  const guards = options.egress && createClusterGuards(watch, options.egress);
  const readUsage = createUsageReader(cluster, { namespace, labelSelector, limits });
  const driver: Driver = {
    cluster,
    log,
    watch,
    guards,
    describe: async () => ({ ...options, owner: await owner(), guards: await guards?.place() }),
    namespace,
    memoryBytes: limits.memoryBytes,
    roomMs,
    owner,
    labelSelector,
    stop: (handle, graceSeconds) => stop(driver, handle, graceSeconds),
    ending: new Set(),
  };
  const runtime: Runtime = {
    name: "kubernetes",
    isolates: true,
    start: (order) => explainErrors(startPod(driver, order)),
    stop: (handle, graceSeconds) => explainErrors(stop(driver, handle, graceSeconds)),
    inspect: (handle) => explainErrors(inspect(driver, handle)),
    logTail: async (handle, bytes, since, until) => {
      const { name, uid } = readHandle(handle);
      if ((await explainErrors(watch.find(uid))) === undefined) return "";
      const period = { since, until, signal: AbortSignal.timeout(LOG_MS) };
      return explainErrors(readTail(cluster, { namespace, pod: name }, bytes, period));
    },
    followLog: async function* (handle, follow) {
      const { name, uid } = readHandle(handle);
      if ((await explainErrors(watch.find(uid))) === undefined) return;
      yield* readLog(cluster, { namespace, pod: name }, follow);
    },
    usage: async (handle) => {
      const { name, uid } = readHandle(handle);
      const pod = await explainErrors(watch.find(uid));
      const runs = pod !== undefined && findEnd(pod, limits.memoryBytes) === undefined;
      return runs ? explainErrors(readUsage(name)) : undefined;
    },
    watchChanges: (report) => watchChanges(driver, report),
    list: async () => {
      const pods = await explainErrors(watch.list());
      return pods.map((pod) => ({ handle: createHandle(pod), versionId: readVersionId(pod) }));
    },
    putBack: () => explainErrors(putBack(driver)),
    listNetworks: () => explainErrors(listUnused(driver)),
    removeNetwork: (handle) => explainErrors(removeUnused(driver, handle)),
    egressWay: async () => (guards === undefined ? UNGUARDED : { way: "guard" }),
    ...(guards !== undefined && {
      refreshEgress: () => explainErrors(guards.refresh()),
    }),
    listOnOtherWay: () => explainErrors(listOnOtherWay(watch, guards)),
    // Pods outlive the worker, and the next worker adopts them.
    close: async () => {
      guards?.close();
      watch.end();
      await cluster.close();
      return [];
    },
  };
  return { runtime, findFailure: () => findFailure(cluster, namespace) };
}

const UNGUARDED: EgressWay = {
  way: "open",
  why: "Apps run in a cluster without egress guards, and its network policies know addresses, not host names.",
};

/** Pods from before the guards, or whose name server is not theirs anymore. */
async function listOnOtherWay(watch: PodWatch, guards: ClusterGuards | undefined): Promise<string[]> {
  const [pods, place] = await Promise.all([watch.list(), guards?.place()]);
  return pods
    .filter(({ metadata }) => metadata.labels[GUARDED_LABEL] !== place?.nameServer)
    .map(createHandle);
}

async function findFailure(cluster: Cluster, namespace: string): Promise<InstanceFailure | undefined> {
  const request = { path: `/api/v1/namespaces/${namespace}/pods`, query: { limit: "1" } };
  try {
    await explainErrors(cluster.send(request, PROBE_MS));
    return undefined;
  } catch (error) {
    if (error instanceof InstanceFailure) return error;
    throw error;
  }
}

async function inspect({ watch, memoryBytes }: Driver, handle: string): Promise<Inspection> {
  const pod = await watch.find(readHandle(handle).uid);
  if (pod === undefined)
    return { running: false, code: "REMOVED", reason: "is gone: its Pod was removed", exitCode: null };
  const end = findEnd(pod, memoryBytes);
  if (end !== undefined) return { running: false, ...end };
  const origin = findOrigin(pod) ?? NOWHERE;
  return {
    ...{ running: true, origin },
    ...(isLeaving(pod) && findOwnLimit(pod) === undefined && { leaving: describeLeaving(pod) }),
    ...(isReady(pod) && { healthyThere: true }),
  };
}

/** False if it is gone already. */
async function deletePod(
  { cluster, namespace }: Driver,
  handle: string,
  graceSeconds: number,
): Promise<boolean> {
  const { name, uid } = readHandle(handle);
  const body = { gracePeriodSeconds: graceSeconds, preconditions: { uid } };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
  try {
    await cluster.send({ method: "DELETE", path, body });
    return true;
  } catch (error) {
    // 409: another one has its name by now.
    if (isClusterStatus(error, 404, 409)) return false;
    throw error;
  }
}

async function stop(driver: Driver, handle: string, graceSeconds: number): Promise<Stopped> {
  const { watch, ending, memoryBytes } = driver;
  const { uid } = readHandle(handle);
  const before = await watch.find(uid);
  const wasRunning = before !== undefined && findEnd(before, memoryBytes) === undefined;
  let exitCode: number | undefined;
  const forget = watch.onChange((pod) => {
    if (pod.metadata.uid === uid) exitCode ??= findExitCode(pod);
  });
  ending.add(uid);
  try {
    // The notice is a part of the grace. Without a grace, a node takes its shortest way; 0 would only forget the Pod.
    const grace = graceSeconds === 0 ? 1 : graceSeconds + NOTICE_SECONDS;
    if (!(await deletePod(driver, handle, grace))) return "ended";
    const isGone = () => (watch.peek(uid) === undefined ? true : undefined);
    if ((await watch.until(isGone, grace * 1_000 + NODE_MS)) === undefined) {
      // Its node doesn't say that it ended. The Pod is forgotten: whatever may still run there gets no calls.
      await deletePod(driver, handle, 0);
      await watch.until(isGone, NODE_MS);
    }
    if (before !== undefined) await lowerBudget(driver, before);
    return wasRunning && exitCode === KILLED ? "killed" : "ended";
  } finally {
    forget();
    ending.delete(uid);
  }
}

/** A budget for more Pods than there are would block the drain of their nodes. */
async function lowerBudget({ cluster, watch, namespace, owner }: Driver, pod: Pod): Promise<void> {
  const { serviceUid, ...version } = describeVersion(pod);
  const left = (await watch.list()).filter((other) => isServing(other, version.versionId)).length;
  const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
  const budget = createBudget({ namespace, owner: await owner() }, version, serviceUid, left);
  await cluster.apply(path, budget);
}

const PUTTING_BACK = "put back what Pods share";

/** Whoever changes a policy by hand opens an app, or closes it. A Service that is gone takes its Pods along. */
async function putBack(driver: Driver): Promise<void> {
  const { watch, log } = driver;
  const [app, services, pods] = await Promise.all([driver.describe(), listServices(driver), watch.list()]);
  for (const { metadata } of services) {
    const versionId = metadata.labels[VERSION_LABEL] ?? "";
    const pod = pods.find((each) => isServing(each, versionId));
    const startId = metadata.annotations[START_ANNOTATION];
    if (pod === undefined || startId === undefined) continue;
    try {
      await applyShared(driver, app, describeVersion(pod), { startId });
      reportSuccess(log, PUTTING_BACK);
    } catch (err) {
      const facts = { service: metadata.name };
      reportFailure(log, PUTTING_BACK, {
        err,
        facts,
        level: "warn",
        message: "what Pods share can't be put back",
      });
    }
  }
}

/** Reports each Pod when it begins to leave, and when it has ended. */
function watchChanges({ watch, memoryBytes, ending }: Driver, report: (handle: string) => void): ChangeWatch {
  const told = new Map<string, "leaving" | "ended">();
  const stopListening = watch.onChange((pod, isGone) => {
    const { uid } = pod.metadata;
    const hasEnded = isGone || findEnd(pod, memoryBytes) !== undefined;
    const state = hasEnded ? "ended" : isLeaving(pod) ? "leaving" : undefined;
    const isNews = state !== undefined && told.get(uid) !== state;
    if (isGone) told.delete(uid);
    else if (state !== undefined) told.set(uid, state);
    if (isNews && !ending.has(uid)) report(createHandle(pod));
  });
  return { connected: watch.connected, stop: stopListening };
}

const servicesShape = z.object({
  items: z.array(
    z.object({
      metadata: z.object({
        name: z.string(),
        resourceVersion: z.string(),
        labels: z.record(z.string(), z.string()).default({}),
        annotations: z.record(z.string(), z.string()).default({}),
      }),
    }),
  ),
});

async function listServices({ cluster, namespace, labelSelector }: Driver) {
  const request = {
    path: `/api/v1/namespaces/${namespace}/services`,
    query: { labelSelector: await labelSelector() },
  };
  return servicesShape.parse(await cluster.send(request)).items;
}

/** Services of versions without a Pod. What they own goes with them. */
async function listUnused(driver: Driver): Promise<Found[]> {
  const services = await listServices(driver);
  const used = new Set((await driver.watch.list()).map((pod) => nameVersion(readVersionId(pod))));
  return services
    .filter(({ metadata }) => !used.has(metadata.name))
    .map(({ metadata: { name, resourceVersion, labels } }) => ({
      // A start changes the Service first, and then it is not removed.
      handle: `${name}/${resourceVersion}`,
      versionId: labels[VERSION_LABEL] ?? "",
    }));
}

async function removeUnused({ cluster, namespace }: Driver, handle: string): Promise<void> {
  const [name = "", resourceVersion = ""] = handle.split("/");
  const body = { propagationPolicy: "Background", preconditions: { resourceVersion } };
  const path = `/api/v1/namespaces/${namespace}/services/${name}`;
  try {
    await cluster.send({ method: "DELETE", path, body });
  } catch (error) {
    if (!isClusterStatus(error, 404, 409)) throw error;
  }
}
