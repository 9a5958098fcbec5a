/** The one way in which the platform calls an app. */
import { v7 } from "uuid";
import { KEY_HEADER } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { RouteKind } from "@/lib/contract/installation";
import type { Db } from "../database/connect";
import { LONGEST_LIFE_MS, sealStateKey } from "../keys/state-key";
import type { Platform } from "../platform/platform";
import { keptText, withoutKey } from "./kept-text";
import { finishAttempt, insertAttempt } from "./queries";
import { redactionFor } from "./read-secrets";
import { sendRequest, type AppAnswer } from "./send-request";

export const PAYLOAD_BYTES = 1024 * 1024;
const KEY_SLACK_MS = 60_000;

export interface AppCall {
  installationId: string;
  routeId: string;
  /** Of the configuration that the app reads with this call's key. */
  revision: number;
  /** Of the installation as it was when it was chosen to be called: a stop that comes between ends this call's key. */
  epoch: number;
  kind: RouteKind;
  deliveryId?: string;
  /** Where the app runs; null when no instance is ready, which is recorded as the attempt's failure. */
  origin: string | null;
  method: "GET" | "POST";
  /** Path on the container, with its query. */
  path: string;
  /** JSON text. */
  body?: string;
  headers?: Record<string, string>;
  deadlineMs: number;
  /** Whether an answer that is not JSON is a failure. */
  expectsJson?: boolean;
  /** Runs in the transaction that records the attempt: there is neither without the other. */
  record?: (tx: Db) => Promise<void>;
}

export interface FinishedCall extends AppAnswer {
  attemptId: string;
  /** What is kept of `answer`, without secrets. Nothing else of it may be stored or shown to who did not call. */
  keptAnswer: string | null;
}

/** Runs in the transaction that records the answer: what follows from it is settled with it, or not at all. */
export type Settle = (tx: Db, answer: FinishedCall) => Promise<void>;

/**
 * Records the attempt, sends it with a state key of its own, and records what came of it.
 * A fault of the app is in the result's `failure`; only the database's faults are thrown. Who called gets the answer as
 * it came; what is kept of it has no secrets of the installation (see redact-secrets.ts).
 */
export async function callApp(platform: Platform, call: AppCall, settle?: Settle): Promise<FinishedCall> {
  if (call.body !== undefined && Buffer.byteLength(call.body) > PAYLOAD_BYTES) {
    throw new Problem("TOO_LARGE", "A payload has at most 1 MiB of JSON.");
  }
  const attemptId = v7();
  const { installationId, routeId, revision, epoch } = call;
  const expiresAt = keyEnd(call);
  const content = { installationId, routeId, revision, epoch, attemptId, expiresAt };
  const key = sealStateKey(platform.keyring, content);
  const secrets = await redactionFor(platform, installationId, revision);
  const payload = keptText(call.body ?? null, key, secrets);
  const { record } = call;
  // Before the call, and committed: the state API notes on this row that the app read its state.
  if (record === undefined) await insertAttempt(platform.db, attemptId, call, payload);
  else
    await platform.db.transaction(async (tx) => {
      await insertAttempt(tx, attemptId, call, payload);
      await record(tx);
    });
  const sent = call.origin === null ? noInstance() : await send(call, call.origin, key);
  const answer = sent.answer === null ? null : withoutKey(sent.answer, key);
  const failure = sent.failure ?? failureOfStatus(sent.status) ?? failureOfAnswer(call, answer);
  const finished = {
    ...sent,
    attemptId,
    answer,
    failure: keptText(failure, key, secrets),
    keptAnswer: keptText(answer, key, secrets),
  };
  await platform.db.transaction(async (tx) => {
    await finishAttempt(tx, attemptId, { ...finished, answer: finished.keptAnswer });
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

/** Webhooks and lifecycle hooks may go on after their answer. */
function keyEnd(call: AppCall): Date {
  const long = call.kind === "webhook" || call.kind === "lifecycle";
  return new Date(Date.now() + (long ? LONGEST_LIFE_MS : call.deadlineMs + KEY_SLACK_MS));
}

function noInstance(): AppAnswer {
  const failure = "No instance of the app is ready. The platform starts one; try again in some seconds.";
  return {
    status: null,
    answer: null,
    contentType: null,
    retryAfter: null,
    durationMs: 0,
    failure,
    timedOut: false,
  };
}

function failureOfStatus(status: number | null): string | null {
  if (status === null || (status >= 200 && status < 300)) return null;
  if (status >= 300 && status < 400) return `It answered ${status}, a redirect; the platform follows none.`;
  return `It answered ${status}.`;
}

function failureOfAnswer(call: AppCall, answer: string | null): string | null {
  if (call.expectsJson !== true) return null;
  try {
    JSON.parse(answer ?? "");
    return null;
  } catch {
    return "Its answer is not JSON.";
  }
}
