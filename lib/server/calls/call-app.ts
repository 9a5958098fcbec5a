/** Calls an app with JSON. Endpoints stream instead: see `lib/server/endpoints/`. Nothing else calls apps. */
import { v7 } from "uuid";
import { KEY_HEADER } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { RouteKind } from "@/lib/contract/installation";
import type { LifecycleEvent } from "@/lib/contract/manifest";
import type { DeliveryWait } from "@/lib/domain/delivery-wait";
import type { Db } from "../database/connect";
import { LONGEST_LIFE_MS, sealStateKey } from "../keys/state-key";
import type { Platform } from "../platform/platform";
import { redactKeys } from "../redaction/redact-keys";
import { storableText, withoutKey, type Redaction } from "../redaction/redact-secrets";
import { finishAttempt, insertAttempt, recordsBodies } from "./queries";
import { redactionFor } from "./redaction/read-secrets";
import { explainAnswer, explainStatus, type Failure } from "./explain-failure";
import { sendRequest, type AppAnswer } from "./send-request";

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
  /** Of a delivery that waited: since when, and for what. */
  wait?: DeliveryWait;
  /** Of the app's instance; null if none is ready, which is recorded as the attempt's failure. */
  origin: string | null;
  method: "GET" | "POST";
  /** Path on the container, with its query. */
  path: string;
  /** JSON text. */
  body?: string;
  headers?: Record<string, string>;
  deadlineMs: number;
  /** An answer that is not JSON is a failure. */
  expectsJson?: boolean;
  /** Runs in the transaction that records the attempt: both happen, or neither. */
  record?: (tx: Db) => Promise<void>;
}

export interface FinishedCall extends AppAnswer {
  attemptId: string;
  /**
   * `answer` without secrets, to quote it in a reason. Never store or show anything else of it, except to the caller. Null
   * if the call succeeded and its answer is not recorded.
   */
  keptAnswer: string | null;
}

/** Runs in the transaction that records the answer: both happen, or neither. */
type Settle = (tx: Db, answer: FinishedCall) => Promise<void>;

/**
 * Records the attempt, sends it with its own state key, and records the answer. An app's failure is in the result; only
 * database errors are thrown. The caller gets the answer unchanged. Payload and answer are stored only for Test Launches, for
 * test calls, and if the organization turned it on, and without secrets (see redaction/).
 */
export async function callApp(platform: Platform, call: AppCall, settle?: Settle): Promise<FinishedCall> {
  if (call.body !== undefined && Buffer.byteLength(call.body) > PAYLOAD_BYTES) {
    throw new Problem("TOO_LARGE", "The payload is larger than 1 MiB of JSON. Send less data.");
  }
  const attemptId = v7();
  const { installationId, routeId, revision, epoch } = call;
  const expiresAt = getKeyExpiry(call);
  const content = { installationId, routeId, revision, epoch, attemptId, expiresAt };
  const key = sealStateKey(platform.keyring, content);
  const recorded = call.test === true || (await recordsBodies(platform.pool, installationId));
  // Most calls succeed and are not recorded: they open no secret.
  let redaction: Promise<Redaction> | undefined;
  const clean = async (text: string | null) => {
    if (text === null) return null;
    redaction ??= redactionFor(platform, installationId, revision);
    return storableText(text, await redaction);
  };
  const request = {
    target: redactKeys(`${call.method} ${call.path}`),
    recorded,
    payload: recorded ? await clean(call.body ?? null) : null,
    payloadBytes: call.body === undefined ? null : Buffer.byteLength(call.body),
  };
  const { record } = call;
  // Committed before the call: the state API notes on this row that the app read its state.
  if (record === undefined) await insertAttempt(platform.db, attemptId, call, request);
  else
    await platform.db.transaction(async (tx) => {
      await insertAttempt(tx, attemptId, call, request);
      await record(tx);
    });
  const sent = call.origin === null ? NO_INSTANCE : await send(call, call.origin, key);
  const endedMs = performance.now();
  const answer = sent.answer === null ? null : withoutKey(sent.answer, key);
  const { fault, failure } = findFailure(call, sent, answer);
  const finished = {
    ...sent,
    attemptId,
    answer,
    fault,
    failure: await clean(failure),
    keptAnswer: recorded || failure !== null ? await clean(answer) : null,
  };
  const end = {
    ...finished,
    endedMs,
    answer: recorded ? finished.keptAnswer : null,
    answerBytes: sent.answer === null ? null : Buffer.byteLength(sent.answer),
  };
  await platform.db.transaction(async (tx) => {
    await finishAttempt(tx, attemptId, end);
    await settle?.(tx, finished);
  });
  return finished;
}

function send(call: AppCall, origin: string, key: string): Promise<AppAnswer> {
  const headers: Record<string, string> = { ...call.headers, [KEY_HEADER]: key };
  if (call.body !== undefined) headers["content-type"] = "application/json";
  const { method, body, deadlineMs } = call;
  return sendRequest({ method, url: origin + call.path, headers, body, deadlineMs });
}

/** The work of webhooks and lifecycle hooks may continue after their answer. */
function getKeyExpiry(call: AppCall): Date {
  const long = call.kind === "webhook" || call.kind === "lifecycle";
  return new Date(Date.now() + (long ? LONGEST_LIFE_MS : call.deadlineMs + KEY_SLACK_MS));
}

export const NO_INSTANCE_READY =
  "No instance of the app is ready yet. The platform is starting one; try again in a few seconds.";

const NO_INSTANCE: AppAnswer = {
  status: null,
  answer: null,
  contentType: null,
  retryAfter: null,
  durationMs: 0,
  failure: NO_INSTANCE_READY,
  fault: "app-not-running",
};

function findFailure(
  call: AppCall,
  sent: AppAnswer,
  answer: string | null,
): Failure | { fault: null; failure: null } {
  if (sent.fault !== null && sent.failure !== null) return { fault: sent.fault, failure: sent.failure };
  const checked =
    explainStatus(sent.status) ?? (call.expectsJson === true ? explainAnswer(answer) : undefined);
  return checked ?? { fault: null, failure: null };
}
