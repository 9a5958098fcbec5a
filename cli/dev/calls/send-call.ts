/** Sends a prepared call to the app, with a state key of its own, and keeps what happened. */
import { randomUUID } from "node:crypto";
import { configurationCheckAnswer } from "@/lib/contract/configuration-check-answer";
import type { Manifest } from "@/lib/contract/manifest";
import { KEY_HEADER } from "@/lib/contract/names";
import { explainAnswer, explainShape, explainStatus, type Failure } from "@/lib/domain/explain-answer";
import type { LocalCustomer } from "../answers/customer-store";
import { listSecretNames, listSecrets, maskSecrets, type Secret } from "../answers/mask-secrets";
import { toRecord } from "../answers/show-answers";
import type { DevCall } from "../contract/calls";
import type { Emulator } from "../emulator/emulator";
import { sendRequest, type LocalAnswer } from "../http/send-request";
import { coreApiUrl } from "../platform/local-core";
import { shortenKey } from "../platform/state-keys";
import type { PreparedCall } from "./prepare-call";

export interface SendOptions {
  sender: DevCall["sender"];
  /** Of a drill, which continues with the manifest that it began with. */
  manifest?: Manifest;
  /** Of a drill: a key that opens nothing. */
  key?: "expired" | "unknown";
  /** Answers that are not saved yet, of a configuration check. */
  isCheck?: boolean;
}

export interface SentCall {
  call: DevCall;
  /** The answer as the app sent it, for what compares answers. */
  raw: string | null;
}

/** An app that is gone must not keep a call waiting for an engine to notice. */
const NOT_RUNNING: LocalAnswer = {
  ...{ status: null, headers: {}, body: null, ms: 0 },
  failed: { fault: "app-not-running", failure: "The app isn't running. Its log shows why." },
};
const RESTARTING_MS = 8_000;

export async function sendCall(
  emulator: Emulator,
  customer: LocalCustomer,
  prepared: PreparedCall,
  options: SendOptions,
): Promise<SentCall> {
  const { app, history, manifest: current } = emulator;
  const { sender, manifest = current, isCheck = false } = options;
  const id = randomUUID();
  const key = createKey(emulator, id, customer, prepared, { ...options, manifest });
  const started: DevCall = {
    ...{ id, customerId: customer.id, customerName: customer.name, sender },
    ...{ route: prepared.route, kind: prepared.kind, name: prepared.name },
    startedAt: new Date().toISOString(),
    request: describeRequest(prepared, key),
    ...{ done: false, response: null, ms: null, fault: null, failure: null, issues: [], reads: [] },
  };
  history.putCall(started);
  const { port } = app.status();
  const { method, path, headers, body, deadlineMs } = prepared;
  const request = { method, path, body, deadlineMs, headers: { ...headers, [KEY_HEADER]: key } };
  const answer = port === null ? NOT_RUNNING : await sendRequest({ ...request, port });
  const failed = judge(prepared, answer, isCheck);
  const call: DevCall = {
    ...started,
    reads: history.findCall(id)?.reads ?? [],
    done: true,
    response: describeResponse(answer, listSecrets(customer, manifest)),
    ms: answer.ms,
    fault: failed?.fault ?? null,
    failure: failed?.failure ?? null,
    issues: failed?.issues ?? [],
  };
  history.putCall(call);
  return { call, raw: answer.body };
}

/** A call during a restart waits for the new instance, as on the platform. False if there is none in time. */
export function waitForRestart({ app }: Emulator): Promise<boolean> {
  return app.waitUntilReady(RESTARTING_MS);
}

function createKey(
  { keys, appUrl }: Emulator,
  callId: string,
  customer: LocalCustomer,
  { keyMs }: PreparedCall,
  { manifest, key, isCheck }: SendOptions & { manifest: Manifest },
): string {
  return keys.create({
    ...{ callId, customer },
    record: toRecord(customer, manifest, coreApiUrl(appUrl, customer)),
    secretNames: listSecretNames(customer, manifest),
    webhookSecrets: isCheck === true ? null : [customer.webhookSecret],
    expiresAt: key === "expired" ? Date.now() - 1_000 : Date.now() + keyMs,
    isForeign: key === "unknown",
  });
}

function judge({ kind }: PreparedCall, answer: LocalAnswer, isCheck: boolean): Failure | undefined {
  if (answer.failed !== null) return answer.failed;
  const refused = explainStatus(answer.status);
  // Refusing a bad request is what an endpoint should do; anyone can send one.
  if (kind === "endpoint") return (answer.status ?? 0) >= 500 ? refused : undefined;
  if (refused !== undefined) return refused;
  return isCheck ? explainShape(configurationCheckAnswer, answer.body) : explainAnswer(kind, answer.body);
}

function describeRequest({ method, path, headers, body }: PreparedCall, key: string): DevCall["request"] {
  return {
    ...{ method, path, body: body === undefined ? null : pretty(body) },
    headers: { [KEY_HEADER]: shortenKey(key), ...headers },
  };
}

function describeResponse(
  { status, headers, body }: LocalAnswer,
  secrets: readonly Secret[],
): DevCall["response"] {
  if (status === null) return null;
  const masked = Object.entries(headers).map(([name, value]) => [name, maskSecrets(value, secrets)]);
  return {
    status,
    headers: Object.fromEntries(masked),
    body: body === null ? null : maskSecrets(pretty(body), secrets),
  };
}

/** JSON with indentation; other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
