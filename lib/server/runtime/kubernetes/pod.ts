/** What a Pod's status says of the app in it: whether it runs, where, why not, and whose fault that is. */
import { z } from "zod";
import type { ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import { CONTAINER_PORT, formatMemory } from "@/lib/domain/platform/app-limits";
import { describeExit, type Ending, quoteMessage } from "../engines/runtime";
import { API_SERVER_OPEN, FIRST, UNKNOWN_TO_GUARD } from "./first-container";
import { CONTAINER, readVersion, VERSION_LABEL } from "./objects";

const word = z.string().default("");
const terminatedShape = z.object({
  exitCode: z.number(),
  reason: word,
  message: word,
  finishedAt: z.string().nullish(),
});

const containerShape = z.object({
  name: z.string(),
  state: z
    .object({
      running: z.unknown().optional(),
      waiting: z.object({ reason: word, message: word }).optional(),
      terminated: terminatedShape.optional(),
    })
    .default({}),
});

/** Only what is read. A field that a later release writes otherwise must not hide the Pod. */
export const podShape = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    resourceVersion: word,
    labels: z.record(z.string(), z.string()).default({}),
    annotations: z.record(z.string(), z.string()).default({}),
    creationTimestamp: word,
    deletionTimestamp: z.string().optional(),
    deletionGracePeriodSeconds: z.number().optional(),
    finalizers: z.array(z.string()).default([]),
    ownerReferences: z.array(z.object({ uid: z.string() })).default([]),
  }),
  spec: z.object({ nodeName: z.string().optional() }).prefault({}),
  status: z
    .object({
      phase: word,
      reason: word,
      message: word,
      podIP: word,
      hostIP: word,
      conditions: z
        .array(z.object({ type: z.string(), status: z.string(), reason: word, message: word }))
        .default([]),
      containerStatuses: z.array(containerShape).default([]),
      initContainerStatuses: z.array(containerShape).default([]),
    })
    .prefault({}),
});

export type Pod = z.infer<typeof podShape>;

export interface Fault {
  code: ReasonCode;
  /** A sentence that says how to fix it. */
  detail: string;
}

/** Of a Pod without an address: nothing listens there. */
export const NOWHERE = "http://127.0.0.1:9";

/** The name alone may be another Pod's later. */
export function createHandle({ metadata: { name, uid } }: Pod): string {
  return `${name}/${uid}`;
}

export function readHandle(handle: string): { name: string; uid: string } {
  const [name = "", uid = ""] = handle.split("/");
  return { name, uid };
}

export function readVersionId({ metadata }: Pod): string {
  return metadata.labels[VERSION_LABEL] ?? "";
}

/** What is known of a version whose Pod runs, and its Service's UID. */
export function describeVersion({ metadata: { labels, ownerReferences } }: Pod) {
  return { ...readVersion(labels), serviceUid: ownerReferences[0]?.uid ?? "" };
}

/** Its grace is over, and something keeps its name from being used again. */
export function findStuck({ metadata: { deletionTimestamp, finalizers } }: Pod): string | undefined {
  const isLate = deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < Date.now();
  return isLate && finalizers.length > 0 ? finalizers.join(", ") : undefined;
}

export function findOrigin({ status: { podIP } }: Pod): string | undefined {
  if (podIP === "") return undefined;
  return `http://${podIP.includes(":") ? `[${podIP}]` : podIP}:${CONTAINER_PORT}`;
}

function findState({ status }: Pod) {
  return status.containerStatuses.find(({ name }) => name === CONTAINER)?.state;
}

function findCondition({ status }: Pod, type: string) {
  return status.conditions.find((condition) => condition.type === type);
}

/** Something other than its own process ends it soon. */
export function isLeaving(pod: Pod): boolean {
  return (
    pod.metadata.deletionTimestamp !== undefined || findCondition(pod, "DisruptionTarget")?.status === "True"
  );
}

/** Its node gets 200 from it. */
export function isReady(pod: Pod): boolean {
  return findCondition(pod, "Ready")?.status === "True";
}

/** All its processes have ended, and another Pod may have its address. */
export function hasEnded({ status: { phase } }: Pod): boolean {
  return phase === "Failed" || phase === "Succeeded";
}

/** Whether it is one of the version's Pods that should stay. */
export function isServing(pod: Pod, versionId: string): boolean {
  return readVersionId(pod) === versionId && !isLeaving(pod) && !hasEnded(pod);
}

/** Of a process that ended by itself, or that something killed; not the kernel for its memory. */
export function findExitCode(pod: Pod): number | undefined {
  const terminated = findState(pod)?.terminated;
  return terminated === undefined || terminated.reason === "OOMKilled" ? undefined : terminated.exitCode;
}

/** Completes "The app …". */
export function describeLeaving(pod: Pod): string {
  const { reason = "" } = findCondition(pod, "DisruptionTarget") ?? {};
  if (reason === "EvictionByEvictionAPI") return "was moved, because its node is being drained";
  if (reason === "DeletionByTaintManager") return "was moved, because its node stopped responding";
  if (reason === "PreemptionByScheduler")
    return "was moved, because a Pod with a higher priority needed its place";
  if (reason === "TerminationByKubelet" || pod.status.reason === "Evicted")
    return `was moved, because its node is short of resources${quote(pod.status.message)}`;
  return "was moved, because its Pod was deleted";
}

const OWN_LIMIT = /exceeds the (?:total )?limit|exceeded its local ephemeral storage/i;

/** Its node ends it, because it wrote more than it may: what the node says of it. A node that is full says something else. */
export function findOwnLimit(pod: Pod): string | undefined {
  const { message = "" } = findCondition(pod, "DisruptionTarget") ?? {};
  return [pod.status.message, message].find((text) => OWN_LIMIT.test(text));
}

const quote = (text: string) => (text === "" ? "" : ` (${quoteMessage(text)})`);

/** Why it ended; undefined if it has not. @param memoryBytes what it may use */
export function findEnd(pod: Pod, memoryBytes: number): Ending | undefined {
  const terminated = findState(pod)?.terminated;
  const ownLimit = findOwnLimit(pod);
  if (ownLimit !== undefined && (terminated !== undefined || hasEnded(pod)))
    return {
      code: "EXITED",
      reason: `was ended, because it wrote more to its disk than it may${quote(ownLimit)}`,
      exitCode: terminated?.exitCode ?? null,
    };
  if (terminated === undefined) {
    // A node that never started it, or that is gone.
    return hasEnded(pod) ? { code: "EVICTED", reason: describeLeaving(pod), exitCode: null } : undefined;
  }
  const { exitCode, reason, message } = terminated;
  if (reason === "OOMKilled")
    return {
      code: "OOM_KILLED",
      reason: `was killed by the kernel because it used more than ${formatMemory(memoryBytes)} of memory`,
      exitCode,
    };
  if (reason === "StartError" || reason === "ContainerCannotRun")
    return { code: "COMMAND_NOT_STARTED", reason: `could not be started${explainStart(message)}`, exitCode };
  // It got SIGTERM, or its node is gone: its own exit code says nothing then.
  if (isLeaving(pod) && !hasExitedBefore(pod, terminated))
    return { code: "EVICTED", reason: describeLeaving(pod), exitCode };
  return describeExit(exitCode);
}

const explainStart = (message: string) => (message === "" ? "" : `: ${quoteMessage(message)}`);

/** Of a process that got SIGTERM. */
const ENDED_WELL = [0, 143];

/**
 * The deletion's time is the end of its grace. It is the API server's, and that of the exit is the node's, whose clock may be behind: the
 * times count only if nothing else says that the Pod was moved.
 */
function hasExitedBefore(pod: Pod, { exitCode, finishedAt }: z.infer<typeof terminatedShape>): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  if (deletionTimestamp === undefined || ENDED_WELL.includes(exitCode)) return false;
  if (findCondition(pod, "DisruptionTarget")?.status === "True") return false;
  const deletedAt = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1_000;
  return Date.parse(finishedAt ?? "") < deletedAt;
}

export type StartState =
  | { kind: "started" }
  /** It can't start, unless somebody does something about it. `pulling`: an event says more of it. */
  | ({ kind: "failed"; pulling?: boolean } & Fault)
  /** No node has room. One may be added. */
  | ({ kind: "no-room" } & Fault)
  | { kind: "waiting" };

const PULL_REASONS = ["ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "RegistryUnavailable"];
const NAME_REASONS = ["InvalidImageName", "ImageInspectError"];
const CONTAINER_REASONS = ["CreateContainerError", "RunContainerError", "CreateContainerConfigError"];

/** What keeps the first container, and so the app, from its start: see `first-container.ts`. */
function findFirstFault({ status }: Pod): Fault | undefined {
  const { waiting, terminated } =
    status.initContainerStatuses.find(({ name }) => name === FIRST)?.state ?? {};
  if (terminated?.exitCode === UNKNOWN_TO_GUARD)
    return {
      code: "NETWORK_FAILED",
      detail:
        "No egress guard of the cluster knew the app's Pod within a minute. Check that the guard's Pods are ready, and that the apps' namespace reaches them.",
    };
  if (terminated?.exitCode === API_SERVER_OPEN)
    return {
      code: "CLUSTER_FAILED",
      detail:
        "The cluster does not enforce network policies: the app's Pod still reached the API server after 15 seconds. Check the network plugin, and that PLATFORM_KUBERNETES_EGRESS does not contain the API server.",
    };
  const reason =
    terminated === undefined ? waiting?.reason : terminated.exitCode === 0 ? "" : terminated.reason;
  if (reason === undefined || reason === "" || reason === "PodInitializing" || reason === "ContainerCreating")
    return undefined;
  const message = terminated === undefined ? waiting?.message : terminated.message;
  return {
    code: "CLUSTER_FAILED",
    detail: `The node can't run PLATFORM_KUBERNETES_GUARD_IMAGE, which waits for network policies${quote(`${reason} ${message ?? ""}`.trim())}. Check the image, and that PLATFORM_KUBERNETES_PULL_SECRET also names a secret for its registry.`,
  };
}

export function readStart(pod: Pod): StartState {
  const fault = findFirstFault(pod);
  if (fault !== undefined && !isLeaving(pod)) return { kind: "failed", ...fault };
  const state = findState(pod);
  if (state?.running !== undefined)
    return findOrigin(pod) === undefined ? { kind: "waiting" } : { kind: "started" };
  if (state?.terminated !== undefined || hasEnded(pod)) return { kind: "started" };
  const { reason = "", message = "" } = state?.waiting ?? {};
  if (PULL_REASONS.includes(reason)) return { kind: "failed", pulling: true, ...explainPull(message) };
  if (NAME_REASONS.includes(reason))
    return {
      kind: "failed",
      code: "IMAGE_MISSING",
      detail: `The node can't use the image${quote(message)}. Publish the app again.`,
    };
  if (CONTAINER_REASONS.includes(reason))
    return {
      kind: "failed",
      code: "COMMAND_NOT_STARTED",
      detail: `The node can't start the app: ${quoteMessage(message) || reason}.`,
    };
  const scheduled = findCondition(pod, "PodScheduled");
  if (scheduled?.status === "False" && scheduled.reason === "Unschedulable")
    return {
      kind: "no-room",
      code: "NO_ROOM",
      detail: `No node of the cluster has room for the app${quote(scheduled.message)}. Add a node, or stop other apps.`,
    };
  return { kind: "waiting" };
}

/** By containerd, CRI-O and Docker. */
const CHANGED =
  /unexpected commit digest|failed size validation|digest did not match|verification failed for digest/i;
const MISSING = /\bnot found\b|manifest unknown|name unknown/i;
const REFUSED =
  /\b40[13]\b|unauthorized|forbidden|\bdenied\b|authentication required|no basic auth|insufficient_scope/i;

/** Why a node can't pull an image. Nodes have one reason for all of it, so the text decides. @param message of the status, or an event */
export function explainPull(message: string): Fault {
  if (CHANGED.test(message))
    return {
      code: "IMAGE_MISSING",
      detail: `The registry's copy of the image was changed${quote(message)}. Restore it from a backup, or publish the app again.`,
    };
  if (REFUSED.test(message))
    return {
      code: "PULL_REFUSED",
      detail: `The registry refused the image to the node${quote(message)}. Check the pull secret that PLATFORM_KUBERNETES_PULL_SECRET names.`,
    };
  if (MISSING.test(message))
    return {
      code: "IMAGE_MISSING",
      detail: `The registry doesn't have the image anymore${quote(message)}. Restore it from a backup, or publish the app again.`,
    };
  return {
    code: "STORE_UNREACHABLE",
    detail: `The node can't pull the image from the registry${quote(message)}. Check that nodes reach the registry in PLATFORM_REGISTRY_URL.`,
  };
}
