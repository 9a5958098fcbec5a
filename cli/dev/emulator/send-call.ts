/** Sends the call that the console or `platform-app call` asks for. */
import { randomUUID } from "node:crypto";
import { configurationCheckAnswer } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { Problem } from "@/lib/contract/platform/problem";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import { scopeOf } from "@/lib/domain/catalog/rights";
import { explainAnswer, explainShape, explainStatus, type Failure } from "@/lib/domain/calls/explain-answer";
import { passHead, requestHeaders } from "@/lib/domain/calls/headers";
import { parseTrace, type TraceContext, traceHeaders } from "@/lib/domain/calls/trace";
import {
  explainMissingEndpoint,
  findEndpoint,
  requireMethod,
  requirePlainPath,
} from "@/lib/domain/catalog/manifest/endpoint";
import { findInvalidUtf8 } from "@/lib/domain/platform/utf8";
import { type LocalAnswer, type LocalRequest, sendRequest } from "../app/send-request";
import type { DevCall, DevCallInput } from "../contract/calls";
import { listSecretNames, listSecrets, maskSecrets, type Secret, toRecord } from "./answers";
import type { LocalCustomer } from "./customer-store";
import { type Emulator, findConfigured } from "./emulator";
import { coreApiUrl } from "./local-core";
import { findRoute, listRoutes, prepareCall, type PreparedCall, routeBase } from "./prepare-call";
import { shortenKey } from "./state-api";

/** Returns once the app has answered. */
export async function callRoute(emulator: Emulator, input: DevCallInput): Promise<DevCall> {
  const { manifest, url } = emulator;
  const customer = findConfigured(emulator, input.customerId);
  const route = findRoute(manifest, input.route);
  const prepared = prepareCall({ route, customer, manifest, url }, input);
  await waitForRestart(emulator);
  const { call } = await sendCall(emulator, customer, prepared, { sender: input.sender ?? "console" });
  return call;
}

interface EndpointRequest {
  method: string;
  /** Below the route base. */
  path: string;
  /** With its `?`; empty if there is none. */
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer | undefined;
}

interface EndpointAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Passes on a request of anyone who has the endpoint's URL, with the headers that the platform lets through. */
export async function callEndpoint(
  emulator: Emulator,
  customerId: string,
  { method, path, query, headers, body }: EndpointRequest,
): Promise<EndpointAnswer> {
  const { manifest, url } = emulator;
  const customer = findConfigured(emulator, customerId);
  requirePlainPath(path, query);
  const declared = findEndpoint(manifest.core?.endpoints ?? [], path);
  const route = listRoutes(manifest).find((each) => each.route === `endpoint:${declared?.path ?? ""}`);
  if (route === undefined) throw new Problem("NOT_FOUND", explainMissingEndpoint(method, path));
  requireMethod(route.methods, method);
  const wanted = { method, path: path + query, text: "" };
  const prepared = prepareCall({ route, customer, manifest, url }, wanted);
  const passed = { ...prepared, headers: requestHeaders(headers), body };
  const trace = parseTrace(headers.traceparent, headers.tracestate);
  const { call, answer, key } = await sendCall(emulator, customer, passed, { sender: "console", trace });
  const { status, headers: answered, bytes } = answer;
  if (status === null || bytes === null)
    throw new Problem("APP_FAILED", call.failure ?? "The app gave no answer.");
  const withoutKey = (text: string) => text.replaceAll(key, KEY_MARK);
  const clean = Object.fromEntries(
    Object.entries(answered).map(([name, value]) => [name, withoutKey(value)]),
  );
  const asked = { path, base: routeBase(customer), methods: route.methods };
  const head = passHead({ status, headers: clean }, asked);
  if ("failure" in head) throw new Problem("APP_FAILED", head.failure);
  // Latin-1 has a character for each byte.
  return { ...head, body: Buffer.from(withoutKey(bytes.toString("latin1")), "latin1") };
}

/** What callers get in place of a state key, as on the platform. */
const KEY_MARK = "[state key]";

interface SendOptions {
  sender: DevCall["sender"];
  /** Of a drill, which continues with the manifest that it began with. */
  manifest?: Manifest;
  /** Of a drill: a key that opens nothing. */
  key?: "expired" | "unknown";
  /** That the caller named; otherwise a new one. */
  trace?: TraceContext;
  /** Answers that are not saved yet, of a configuration check. */
  isCheck?: boolean;
}

interface SentCall {
  call: DevCall;
  /** As the app sent it. */
  answer: LocalAnswer;
  key: string;
}

const READERS: Record<PreparedCall["kind"], LocalRequest["reader"]> = {
  autofill: "core",
  rater: "core",
  endpoint: "browser",
  webhook: "nobody",
  lifecycle: "nobody",
};

/** An app that is gone must not keep a call waiting for an engine to notice. */
const NOT_RUNNING: LocalAnswer = {
  status: null,
  headers: {},
  bytes: null,
  body: null,
  ms: 0,
  failed: { fault: "app-not-running", failure: "The app isn't running. Its log shows why." },
};
const RESTARTING_MS = 8_000;

/** Sends a prepared call to the app, with a state key of its own, and keeps what happened. */
export async function sendCall(
  emulator: Emulator,
  customer: LocalCustomer,
  untraced: PreparedCall,
  options: SendOptions,
): Promise<SentCall> {
  const { app, history, manifest: current } = emulator;
  const { sender, manifest = current, isCheck = false } = options;
  const id = randomUUID();
  const prepared = { ...untraced, headers: { ...traceHeaders(id, options.trace), ...untraced.headers } };
  const key = createKey(emulator, id, customer, prepared, { ...options, manifest });
  const started: DevCall = {
    id,
    customerId: customer.id,
    customerName: customer.name,
    sender,
    route: prepared.route,
    kind: prepared.kind,
    name: prepared.name,
    startedAt: new Date().toISOString(),
    request: describeRequest(prepared, key),
    done: false,
    response: null,
    ms: null,
    fault: null,
    failure: null,
    issues: [],
    reads: [],
  };
  history.putCall(started);
  const { port } = app.status;
  const { method, path, headers, body, deadlineMs } = prepared;
  const reader = READERS[prepared.kind];
  const request = { method, path, body, deadlineMs, reader, headers: { ...headers, [KEY_HEADER]: key } };
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
  return { call, answer, key };
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
    callId,
    customer,
    record: toRecord(customer, manifest, coreApiUrl(appUrl, customer)),
    scope: scopeOf(manifest),
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
    method,
    path,
    body: body === undefined ? null : show(Buffer.from(body)),
    headers: { [KEY_HEADER]: shortenKey(key), ...headers },
  };
}

function describeResponse(
  { status, headers, bytes }: LocalAnswer,
  secrets: readonly Secret[],
): DevCall["response"] {
  if (status === null) return null;
  const masked = Object.entries(headers).map(([name, value]) => [name, maskSecrets(value, secrets)]);
  return {
    status,
    headers: Object.fromEntries(masked),
    body: bytes === null ? null : maskSecrets(show(bytes), secrets),
  };
}

/** As it was sent. Bytes that are not text are not shown. */
function show(bytes: Buffer): string {
  if (findInvalidUtf8(bytes) !== undefined) return `[${bytes.length} bytes that are not text]`;
  return bytes.toString("utf8");
}
