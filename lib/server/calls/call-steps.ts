/**
 * The steps of a call: open, describe its start, send, describe it. `call-route.ts` and `run-lifecycle-hook.ts` make one call at a
 * time; deliveries make many at once and write their rows in batches.
 */
import { LRUCache } from "lru-cache";
import { v7 } from "uuid";
import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import type { LifecycleEvent } from "@/lib/contract/platform/manifest-terms";
import { type Issue, Problem } from "@/lib/contract/platform/problem";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import type { DeliveryWait } from "@/lib/domain/calls/delivery";
import { type TraceContext, traceHeaders } from "@/lib/domain/calls/trace";
import { explainAnswer, explainStatus, type Failure } from "@/lib/domain/calls/explain-answer";
import { notifyUnreachable } from "../platform/database/work-channel";
import { isOnHold } from "../platform/hold-queries";
import type { Platform } from "../platform/platform";
import { redactKeys } from "../platform/redaction/redact-keys";
import { storableText, withoutKey } from "../platform/redaction/redact-secrets";
import { LONGEST_LIFE_MS, sealStateKey } from "../platform/state-key";
import { countCall } from "./call-metrics";
import { traceAttempt } from "./call-traces";
import { type Replica, sendToReplica } from "./choose-replica";
import type { Attempt, AttemptEnd, AttemptStart } from "./record-queries";
import { redactionFor } from "./redact-call";
import { type AppAnswer, sendRequest } from "./send-request";
import { excuseCall } from "./state-api-away";

export const PAYLOAD_BYTES = 1024 * 1024;
export const KEY_SLACK_MS = 60_000;

export interface AppCall {
  installationId: string;
  routeId: string;
  /** The configuration revision that the app reads with this call's key. */
  revision: number;
  /** The installation's key epoch when the call was prepared: a stop since then ends this call's key. */
  epoch: number;
  kind: RouteKind;
  /** Only for lifecycle calls. */
  hook?: LifecycleEvent;
  deliveryId?: string;
  /** Sent from the console by a person. */
  test?: boolean;
  /** For a delivery that waited: since when, and for what. */
  wait?: DeliveryWait;
  /** The event's type or the autofill's operation. */
  eventType?: string;
  /** Which trace it belongs to; undefined: one of its own. */
  trace?: TraceContext;
  /** When the core's request for it arrived, on the clock of `performance.now()`. Undefined if no request waits for it. */
  receivedMs?: number;
  /** How long it waited in the platform before it was opened. Undefined if calls of its kind never wait. */
  queueMs?: number;
  /** The platform's own processing time before it was opened, without that wait. */
  spentMs?: number;
  /** Given if its row already exists; otherwise a new one. */
  attemptId?: string;
  /** Whether payload and answer are stored: for Test Launches, for test calls, and if the organization turned it on. */
  recorded: boolean;
  /** The instances that can answer. If none is ready, that is recorded as the attempt's failure. */
  replicas: readonly Replica[];
  method: "GET" | "POST";
  /** Path on the container, with its query. */
  path: string;
  /** JSON text. */
  body?: string;
  headers?: Record<string, string>;
  deadlineMs: number;
}

/** A call with its attempt's id and state key. Nothing is written or sent yet. */
export interface OpenCall extends AppCall {
  attemptId: string;
  key: string;
  /** On this process's monotonic clock (`performance.now()`). */
  startedMs: number;
}

export interface FinishedCall extends AppAnswer {
  attemptId: string;
  /** On the same clock. */
  endedMs: number;
  /** The size of the answer as it arrived. Null if no complete answer did. */
  answerBytes: number | null;
  /** Where the answer is not as documented. */
  issues?: Issue[];
  /** The instance that was called last; null if none was. */
  instanceId: string | null;
  /** Instances that didn't accept a connection, so that another one was called. */
  passedOver: readonly string[];
}

/** Throws TOO_LARGE. */
export function openCall(platform: Platform, call: AppCall): OpenCall {
  if (call.body !== undefined && Buffer.byteLength(call.body) > PAYLOAD_BYTES)
    throw new Problem("TOO_LARGE", "The payload is larger than 1 MiB of JSON. Send less data.");
  const startedMs = performance.now();
  const { installationId, routeId, revision, epoch, attemptId = v7() } = call;
  const expiresAt = getKeyExpiry(call);
  const key = sealStateKey(platform.keyring, {
    installationId,
    routeId,
    revision,
    epoch,
    attemptId,
    expiresAt,
  });
  return { ...call, attemptId, key, startedMs };
}

/** The call's row before it is answered. Its payload is stored without secrets (see `platform/redaction/`). */
export async function describeStart(platform: Platform, call: OpenCall): Promise<AttemptStart> {
  const { recorded, body } = call;
  const payload = recorded && body !== undefined ? await withoutSecrets(platform, call, body) : null;
  return { ...startWithoutBody(call), payload };
}

/** The same for calls whose bodies are not stored, or stored later. */
export function startWithoutBody(call: OpenCall): AttemptStart {
  return {
    id: call.attemptId,
    installationId: call.installationId,
    routeId: call.routeId,
    kind: call.kind,
    hook: call.hook,
    deliveryId: call.deliveryId,
    test: call.test,
    wait: call.wait,
    eventType: call.eventType,
    traceId: call.trace?.traceId,
    queueMs: call.queueMs,
    recorded: call.recorded,
    target: redactKeys(`${call.method} ${call.path}`),
    payload: null,
    payloadBytes: call.body === undefined ? null : Buffer.byteLength(call.body),
    startedMs: call.startedMs,
  };
}

/** Sends it. An app's failure is in the result. The answer is the app's, apart from the call's own key. */
export async function sendCall(platform: Platform, call: OpenCall): Promise<FinishedCall> {
  const { metrics, traces } = platform;
  const { method, path, body } = call;
  const headers = traceHeaders(call.attemptId, call.trace);
  Object.assign(headers, call.headers);
  headers[KEY_HEADER] = call.key;
  if (body !== undefined) headers["content-type"] = "application/json";
  let spentMs = 0;
  const used = await sendToReplica(
    call.replicas,
    async (origin) => {
      const answer = await sendRequest({
        method,
        origin,
        path,
        headers,
        body,
        deadlineMs: call.deadlineMs - spentMs,
        isRead: call.kind === "autofill" || call.kind === "rater",
      });
      spentMs += answer.durationMs;
      return answer;
    },
    ({ fault }) => isPassedOver(fault) && spentMs < call.deadlineMs,
  );
  used?.end();
  const sent: AppAnswer =
    used === undefined
      ? { ...NO_INSTANCE, failure: await explainNotReady(platform) }
      : { ...used.answer, durationMs: spentMs };
  const answer = sent.answer === null ? null : withoutKey(sent.answer, call.key);
  const found: FinishedCall = {
    ...sent,
    ...findFailure(call, sent, answer),
    attemptId: call.attemptId,
    instanceId: used?.instanceId ?? null,
    passedOver: used?.passedOver ?? [],
    endedMs: performance.now(),
    answer,
    answerBytes: sent.answer === null ? null : Buffer.byteLength(sent.answer),
  };
  const finished = found.fault === null ? found : await excuseCall(platform, found);
  countCall(metrics, call.kind, finished, ownMs(call, finished));
  traceAttempt(traces, call, finished, call.startedMs);
  return finished;
}

/** The platform's own time, without waiting. */
function ownMs({ spentMs = 0, startedMs }: OpenCall, { endedMs, durationMs }: Ended): number {
  return Math.max(0, Math.round(spentMs + endedMs - startedMs - durationMs));
}

type Ended = Pick<FinishedCall, "endedMs" | "durationMs">;

/** The call's whole row. Its texts are stored without secrets. */
export async function describeCall(
  platform: Platform,
  call: OpenCall,
  finished: FinishedCall,
): Promise<Attempt> {
  const { answer } = finished;
  const start = call.recorded ? await describeStart(platform, call) : startWithoutBody(call);
  const end = endWithoutBody(call, finished);
  if (!call.recorded || answer === null) return { ...start, ...end };
  return { ...start, ...end, answer: await withoutSecrets(platform, call, answer) };
}

/** The rest of the row, for calls whose bodies are not stored, or stored later. */
export function endWithoutBody(call: OpenCall, finished: FinishedCall): AttemptEnd {
  const { attemptId: id, status, answerBytes, failure, fault, durationMs, endedMs, instanceId } = finished;
  return {
    id,
    status,
    answer: null,
    answerBytes,
    failure,
    fault,
    durationMs,
    platformMs: ownMs(call, finished),
    endedMs,
    instanceId,
  };
}

/** A text of the app or the core as it may be stored or quoted. */
async function withoutSecrets(
  platform: Platform,
  { installationId, revision }: Pick<AppCall, "installationId" | "revision">,
  text: string,
): Promise<string> {
  return storableText(text, await redactionFor(platform, installationId, revision));
}

/** An app that didn't accept the connection didn't get the request, so another replica may. */
export function isPassedOver(fault: AppFault | null): boolean {
  return fault === "app-connection-refused" || fault === "app-unreachable";
}

/** The work of webhooks and lifecycle hooks may continue after their answer. */
function getKeyExpiry(call: AppCall): Date {
  const long = call.kind === "webhook" || call.kind === "lifecycle";
  return new Date(Date.now() + (long ? LONGEST_LIFE_MS : call.deadlineMs + KEY_SLACK_MS));
}

/** Why no instance of the app can take the call. */
export async function explainNotReady({ db }: Pick<Platform, "db">): Promise<string> {
  return (await isOnHold(db))
    ? "The app isn't running, because the platform was restored from a backup and is on hold. Try again when the platform's operator has released it."
    : "No instance of the app is ready yet. The platform is starting one; try again in a few seconds.";
}

const NO_INSTANCE = {
  status: null,
  answer: null,
  contentType: null,
  retryAfter: null,
  durationMs: 0,
  fault: "app-not-running",
} as const;

function findFailure(
  { kind }: AppCall,
  sent: AppAnswer,
  answer: string | null,
): Failure | { fault: null; failure: null } {
  if (sent.fault !== null && sent.failure !== null) return { fault: sent.fault, failure: sent.failure };
  return explainStatus(sent.status) ?? explainAnswer(kind, answer) ?? { fault: null, failure: null };
}

/** Calls that fail at the same time are reported once. */
const QUIET_MS = 500;

const reported = new LRUCache<string, true>({ max: 10_000, ttl: QUIET_MS });

/** After a call that didn't reach its app, makes the workers check its instances now instead of at the next health check. */
export function reportUnreachable(
  platform: Platform,
  installationId: string,
  { fault, passedOver }: Pick<FinishedCall, "fault" | "passedOver">,
): void {
  if (passedOver.length === 0 && !isPassedOver(fault) && fault !== "app-response-incomplete") return;
  if (reported.has(installationId)) return;
  reported.set(installationId, true);
  notifyUnreachable(platform.db, installationId).catch((error: unknown) =>
    platform.log.warn({ err: error }, "an app that could not be reached was not reported to the workers"),
  );
}
