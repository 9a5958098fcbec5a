/** Starts a replica's Pod, and waits until its process runs: for a node with room, and for the image. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import {
  InstanceFailure,
  quoteMessage,
  type Started,
  type StartOrder,
  type Stopped,
} from "../engines/runtime";
import type { FailureLog } from "../../platform/database/repeated-failures";
import { type Cluster, FIELD_MANAGER, isClusterStatus } from "./client";
import { type ClusterGuards, isGuarded } from "./guards";
import {
  type AppOptions,
  CONTAINER,
  createBudget,
  createPod,
  createPolicy,
  createPolicyFromBefore,
  createService,
  namePod,
  type Version,
} from "./objects";
import {
  describeLeaving,
  explainPull,
  findOrigin,
  findStuck,
  isLeaving,
  isServing,
  NOWHERE,
  podShape,
  readStart,
  type StartState,
} from "./pod";
import type { PodWatch } from "./watch";

/** A node may have to be added, and has to pull the image. */
const START_MS = 5 * 60_000;

interface Starter {
  cluster: Cluster;
  log: FailureLog;
  watch: PodWatch;
  guards: ClusterGuards | undefined;
  describe: () => Promise<AppOptions>;
  namespace: string;
  /** How long it waits for a node with room. */
  roomMs: number;
  stop: (handle: string, graceSeconds: number) => Promise<Stopped>;
}

const createdShape = z.object({ metadata: z.object({ uid: z.string() }) });

export async function startPod(starter: Starter, order: StartOrder): Promise<Started> {
  const { imageReference } = order;
  if (order.bundleKind !== "image" || imageReference === null)
    throw new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "A cluster runs only images from a registry. Set PLATFORM_REGISTRY_URL, and publish an image instead of an example's folder.",
    );
  const { watch, stop } = starter;
  const app = await starter.describe();
  const serviceUid = await applyShared(starter, app, order, {
    startId: randomUUID(),
    joining: namePod(order),
  });
  const created = await createReplica(starter, createPod(app, { ...order, imageReference }, serviceUid));
  const { uid } = created;
  const handle = `${created.name}/${uid}`;
  try {
    await waitForStart(starter, uid);
  } catch (error) {
    // Nobody waits for its end. What is left of it is a stray.
    void stop(handle, 0).catch(() => undefined);
    throw explainUnguarded(starter, uid, error);
  }
  const pod = watch.peek(uid);
  // One that ended at once may have had no address; the next inspection says why it ended.
  return { handle, origin: (pod && findOrigin(pod)) ?? NOWHERE, node: pod?.spec.nodeName };
}

/** A guard may have said why it can't serve the Pod. */
function explainUnguarded({ guards }: Starter, uid: string, error: unknown): unknown {
  const reason = guards?.explain(uid);
  if (!(error instanceof InstanceFailure) || error.reasonCode !== "NETWORK_FAILED" || reason === undefined)
    return error;
  return new InstanceFailure(
    "NETWORK_FAILED",
    `An egress guard can't serve the app's Pod: ${quoteMessage(reason)}. Check the guard's log.`,
  );
}

interface Sharing {
  /** Of the version's last start. */
  startId: string;
  /** The Pod that is about to be one of them. */
  joining?: string;
}

/** What the replicas of a version share. Returns the Service's UID. */
export async function applyShared(
  { cluster, watch }: Pick<Starter, "cluster" | "watch">,
  app: AppOptions,
  version: Version,
  { startId, joining }: Sharing,
): Promise<string> {
  const { namespace } = app;
  const service = createService(app, version, startId);
  const applied = await cluster.apply(`/api/v1/namespaces/${namespace}/services`, service);
  const { uid } = createdShape.parse(applied).metadata;
  const others = (await watch.list()).filter(
    (pod) => isServing(pod, version.versionId) && pod.metadata.name !== joining,
  );
  const replicas = others.length + (joining === undefined ? 0 : 1);
  const policies = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
  // Pods from before keep what they reach until they are replaced.
  if (app.guards !== undefined && others.some((pod) => !isGuarded(pod)))
    await cluster.apply(policies, createPolicyFromBefore(app, version, uid));
  await Promise.all([
    cluster.apply(policies, createPolicy(app, version, uid)),
    cluster.apply(
      `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
      createBudget(app, version, uid, replicas),
    ),
  ]);
  return uid;
}

/**
 * Removes the replica's Pod from before, if there is one. The name is the replica's, so none can run twice. One that a finalizer keeps leaves
 * its name to nobody: the next name is made of its id, so that it is the same for every worker.
 */
async function createReplica(
  { cluster, namespace, log, stop }: Starter,
  pod: ReturnType<typeof createPod>,
): Promise<{ name: string; uid: string }> {
  const path = `/api/v1/namespaces/${namespace}/pods`;
  let { name } = pod.metadata;
  let stuck = "";
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const body = { ...pod, metadata: { ...pod.metadata, name } };
    try {
      const made = await cluster.send({ method: "POST", path, query: { fieldManager: FIELD_MANAGER }, body });
      return { name, uid: createdShape.parse(made).metadata.uid };
    } catch (error) {
      if (!isClusterStatus(error, 409) || error.reason !== "AlreadyExists") throw error;
    }
    const before = podShape.parse(await cluster.send({ path: `${path}/${name}` }));
    const { uid } = before.metadata;
    const finalizers = findStuck(before);
    if (finalizers === undefined) {
      await stop(`${name}/${uid}`, 0);
      continue;
    }
    log.warn({ pod: name, finalizers }, "a Pod can't be removed, so its replica gets another name");
    stuck = ` The finalizers ${finalizers} keep ${name}: remove them.`;
    name = `${pod.metadata.name}-${uid.slice(0, 8)}`;
  }
  throw new InstanceFailure("CLUSTER_FAILED", `The replica's Pod from before can't be removed.${stuck}`);
}

/** Of a name: the Pod from before is removed. Then the same for the next name. */
const MOST_TRIES = 4;

/** Resolves when its process runs, or has ended already. */
async function waitForStart(starter: Starter, uid: string): Promise<void> {
  const { watch, roomMs } = starter;
  const until = performance.now() + START_MS;
  let roomUntil: number | undefined;
  let wasSeen = false;
  const look = (): StartState | undefined => {
    const pod = watch.peek(uid);
    if (pod === undefined) return wasSeen ? GONE : undefined;
    wasSeen = true;
    const state = readStart(pod);
    if (state.kind !== "started" && isLeaving(pod))
      return {
        kind: "failed",
        code: "EVICTED",
        detail: `The app ${describeLeaving(pod)} before it started.`,
      };
    const isKnown = (state.kind === "no-room") === (roomUntil !== undefined);
    return state.kind === "started" || state.kind === "failed" || !isKnown ? state : undefined;
  };
  for (;;) {
    const left = Math.min(until, roomUntil ?? until) - performance.now();
    const state = await watch.until(look, Math.max(0, left));
    if (state?.kind === "started") return;
    if (state?.kind === "failed") throw await explainStart(starter, uid, state);
    if (state === undefined) throw await explainDelay(starter, uid);
    roomUntil = state.kind === "no-room" ? performance.now() + roomMs : undefined;
  }
}

const GONE: StartState = {
  kind: "failed",
  code: "REMOVED",
  detail: "Something other than the platform deleted the app's Pod before it started.",
};

async function explainDelay(starter: Starter, uid: string): Promise<InstanceFailure> {
  const pod = starter.watch.peek(uid);
  const state = pod && readStart(pod);
  if (state?.kind === "no-room") return new InstanceFailure(state.code, state.detail);
  const events = await readEvents(starter, uid);
  const has = (reason: string) => events.some((each) => each.reason === reason && each.isOfApp);
  if (has("Pulling") && !has("Pulled"))
    return new InstanceFailure(
      "STORE_UNREACHABLE",
      `The node did not get the whole image from the registry within ${START_MS / 60_000} minutes. Check how fast nodes reach the registry in PLATFORM_REGISTRY_URL.`,
    );
  return new InstanceFailure(
    "CLUSTER_FAILED",
    `The cluster did not start the app within ${START_MS / 60_000} minutes. Check the events of its Pod ${pod?.metadata.name ?? ""} and its node.`,
  );
}

const eventsShape = z.object({
  items: z.array(
    z.object({
      reason: z.string().default(""),
      message: z.string().default(""),
      involvedObject: z.object({ fieldPath: z.string().default("") }).prefault({}),
    }),
  ),
});

/** None if they can't be read. */
async function readEvents({ cluster, namespace }: Starter, uid: string) {
  const path = `/api/v1/namespaces/${namespace}/events`;
  const query = { fieldSelector: `involvedObject.uid=${uid}` };
  const events = eventsShape.safeParse(await cluster.send({ path, query }).catch(() => undefined));
  return (events.data?.items ?? []).map(({ reason, message, involvedObject: { fieldPath } }) => ({
    ...{ reason, message },
    isOfApp: fieldPath.endsWith(`{${CONTAINER}}`),
  }));
}

/** The status has the beginning of what the registry answered; an event has all of it. */
async function explainStart(
  starter: Starter,
  uid: string,
  { code, detail, pulling }: Extract<StartState, { kind: "failed" }>,
): Promise<InstanceFailure> {
  if (pulling !== true) return new InstanceFailure(code, detail);
  const texts = (await readEvents(starter, uid))
    .filter(({ reason, message }) => reason === "Failed" && message.startsWith("Failed to pull"))
    .map(({ message }) => message);
  const [whole] = texts.sort((a, b) => b.length - a.length);
  const explained = whole === undefined ? { code, detail } : explainPull(whole);
  return new InstanceFailure(explained.code, explained.detail);
}
