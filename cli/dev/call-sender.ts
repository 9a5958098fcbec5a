/** Sends prepared calls to the app, with state keys, and keeps what happened. */
import { randomUUID } from "node:crypto";
import { KEY_HEADER } from "@/lib/contract/names";
import { configurationCheckAnswer } from "@/lib/contract/app-answer";
import type { Manifest } from "@/lib/contract/manifest";
import { explainAnswer, explainShape, explainStatus, type Failure } from "@/lib/domain/explain-answer";
import type { DevCall } from "./contract/calls";
import type { DevHistory } from "./dev-history";
import { sendRequest, type LocalAnswer } from "./http/send-request";
import { maskSecrets, type Secret } from "./mask-secrets";
import { listSecretNames, toRecord } from "./platform/configure";
import type { LocalCustomer } from "./platform/customer-store";
import { shortenKey, type StateKeys } from "./platform/state-keys";
import type { PreparedCall } from "./prepare-call";

export interface SenderOptions {
  history: DevHistory;
  keys: StateKeys;
  coreApiUrl: (customer: LocalCustomer) => string;
  /** The app's port; null while it isn't running. */
  port: () => number | null;
}

export interface SendOptions {
  sender: DevCall["sender"];
  /** For drills. */
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
const NOT_RUNNING: Failure = {
  fault: "app-not-running",
  failure: "The app isn't running. Its log shows why.",
};

export function createSender({ history, keys, coreApiUrl, port }: SenderOptions) {
  return async (
    customer: LocalCustomer,
    manifest: Manifest,
    prepared: PreparedCall,
    { sender, key: kind, isCheck = false }: SendOptions,
  ): Promise<SentCall> => {
    const id = randomUUID();
    const secretNames = listSecretNames(customer, manifest);
    const secrets = listSecrets(customer, secretNames);
    const key = keys.create({
      callId: id,
      customer,
      record: toRecord(customer, manifest, coreApiUrl(customer)),
      secretNames,
      webhookSecrets: isCheck ? null : [customer.webhookSecret],
      expiresAt: kind === "expired" ? Date.now() - 1_000 : Date.now() + prepared.keyMs,
      isForeign: kind === "unknown",
    });
    const { method, path, headers, body, deadlineMs } = prepared;
    const started: DevCall = {
      ...{ id, customerId: customer.id, customerName: customer.name, sender },
      ...{ route: prepared.route, kind: prepared.kind, name: prepared.name },
      startedAt: new Date().toISOString(),
      request: {
        ...{ method, path, body: body === undefined ? null : pretty(body) },
        headers: { [KEY_HEADER]: shortenKey(key), ...headers },
      },
      ...{ done: false, response: null, ms: null, fault: null, failure: null, issues: [], reads: [] },
    };
    history.putCall(started);
    const to = port();
    const answer =
      to === null
        ? { status: null, headers: {}, body: null, ms: 0, failed: NOT_RUNNING }
        : await sendRequest({
            method,
            path,
            body,
            deadlineMs,
            port: to,
            headers: { ...headers, [KEY_HEADER]: key },
          });
    const failed = judge(prepared, answer, isCheck);
    const call: DevCall = {
      ...started,
      reads: history.findCall(id)?.reads ?? [],
      done: true,
      response: toResponse(answer, secrets),
      ms: answer.ms,
      fault: failed?.fault ?? null,
      failure: failed?.failure ?? null,
      issues: failed?.issues ?? [],
    };
    history.putCall(call);
    return { call, raw: answer.body };
  };
}

function judge({ kind }: PreparedCall, answer: LocalAnswer, isCheck: boolean): Failure | undefined {
  if (answer.failed !== null) return answer.failed;
  const refused = explainStatus(answer.status);
  // Refusing a bad request is what an endpoint should do; anyone can send one.
  if (kind === "endpoint") return (answer.status ?? 0) >= 500 ? refused : undefined;
  if (refused !== undefined) return refused;
  return isCheck ? explainShape(configurationCheckAnswer, answer.body) : explainAnswer(kind, answer.body);
}

function toResponse({ status, headers, body }: LocalAnswer, secrets: readonly Secret[]): DevCall["response"] {
  if (status === null) return null;
  const masked = Object.entries(headers).map(([name, value]) => [name, maskSecrets(value, secrets)]);
  return {
    status,
    headers: Object.fromEntries(masked),
    body: body === null ? null : maskSecrets(pretty(body), secrets),
  };
}

export function listSecrets(customer: LocalCustomer, secretNames: readonly string[]): Secret[] {
  const settings = secretNames.flatMap((name) => {
    const value = customer.settings[name]?.value;
    return value === undefined ? [] : [{ name, value }];
  });
  return [...settings, { name: "webhook secret", value: customer.webhookSecret }];
}

/** JSON with indentation; other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
