import { v7 } from "uuid";
import { Problem } from "@/lib/contract/platform/problem";
import { KEY_HEADER } from "@/lib/contract/platform/text";
import { explainStatus, WITHOUT_BODY } from "@/lib/domain/calls/explain-answer";
import { type PassedHead, passHead, requestHeaders } from "@/lib/domain/calls/headers";
import { parseTrace, type TraceContext, traceHeaders } from "@/lib/domain/calls/trace";
import type { Platform } from "../platform/platform";
import { withoutKey } from "../platform/redaction/redact-secrets";
import { sealStateKey } from "../platform/state-key";
import { countCall } from "./call-metrics";
import { traceAttempt } from "./call-traces";
import { explainNotReady, isPassedOver, KEY_SLACK_MS, reportUnreachable } from "./call-steps";
import { sendToReplica } from "./choose-replica";
import type { ServedEndpoint } from "./endpoint-queries";
import { type AttemptEnd, type AttemptStart, recordAttempts } from "./record-queries";
import {
  CALLER_LEFT,
  type RequestFailure,
  type StreamedAnswer,
  streamRequest,
  withoutKeyBytes,
} from "./stream-request";
import { excuseCall } from "./state-api-away";
import { wakeApp } from "./wait-for-app";

/** For the whole request, as for other calls that somebody waits for. */
const DEADLINE_MS = 10_000;
/** How much of it an app that sleeps has to become ready. */
const WAKE_MS = 8_000;

export interface EndpointRequest {
  routeBase: string;
  /** On the container, as the caller wrote it. */
  path: string;
  /** With its `?`; empty if there is none. */
  query: string;
  /** Which methods are accepted, the endpoint declares. */
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
  /** Aborted when the client is gone. */
  gone: AbortSignal;
}

export interface EndpointAnswer {
  status: number;
  headers: Record<string, string>;
  /** Must be read, to its end or not: its end records the attempt. */
  body: AsyncIterable<Uint8Array>;
}

/** Passes a request on with a state key of its own, and streams the answer. Neither body is stored. */
export async function callEndpoint(
  platform: Platform,
  endpoint: ServedEndpoint,
  request: EndpointRequest,
  end: () => void,
): Promise<EndpointAnswer> {
  const { installationId, routeId, revision, epoch, versionId } = endpoint;
  const attemptId = v7();
  const expiresAt = new Date(Date.now() + DEADLINE_MS + KEY_SLACK_MS);
  const content = { installationId, routeId, revision, epoch, attemptId, expiresAt };
  const key = sealStateKey(platform.keyring, content);
  // The declared path, because third parties put secrets into theirs.
  const target = `${request.method} ${endpoint.path}`;
  const trace = parseTrace(request.headers.traceparent, request.headers.tracestate);
  const startedMs = performance.now();
  const call: AttemptStart = {
    id: attemptId,
    installationId,
    routeId,
    kind: "endpoint",
    traceId: trace?.traceId,
    target,
    recorded: false,
    payload: null,
    payloadBytes: null,
    startedMs,
  };
  await recordAttempts(platform.db, [call]);
  const ready = endpoint.replicas;
  const replicas = ready.length > 0 ? ready : await wakeApp(platform, versionId, WAKE_MS);
  const startedAt = performance.now();
  const finish = async (status: number | null, failed: Failed | undefined, answerBytes: number | null) => {
    end();
    sent?.end();
    const endedMs = performance.now();
    const instanceId = sent?.instanceId ?? null;
    const own = { failure: failed?.failure ?? null, fault: failed?.fault ?? null, status, instanceId };
    const { failure, fault } = await excuseCall(platform, own);
    const platformMs = Math.round(startedAt - startedMs);
    const result: Omit<AttemptEnd, "id"> = {
      status,
      answer: null,
      answerBytes,
      failure,
      fault,
      durationMs: Math.round(endedMs - startedAt),
      platformMs,
      endedMs,
      instanceId,
    };
    countCall(platform.metrics, "endpoint", result, platformMs);
    const span = { attemptId, installationId, kind: "endpoint", method: request.method, trace } as const;
    traceAttempt(platform.traces, span, result, startedMs);
    reportUnreachable(platform, installationId, { fault, passedOver: sent?.passedOver ?? [] });
    await recordAttempts(platform.db, [{ ...call, ...result }]);
  };
  const until = startedMs + DEADLINE_MS;
  const sent = await sendToReplica(
    replicas,
    (origin) => send(origin, request, { attemptId, key, trace }, Math.ceil(until - performance.now())),
    // A body can be sent once only.
    (failed) =>
      "failure" in failed && isPassedOver(failed.fault) && !hasBody(request) && performance.now() < until,
  );
  const answer = sent?.answer ?? { ...NOT_READY, failure: await explainNotReady(platform) };
  const head = "failure" in answer ? answer : readHead(answer, endpoint, request, key);
  if ("failure" in head) {
    await finish("failure" in answer ? null : answer.status, head, null);
    throw new Problem(head.code, head.failure);
  }
  return { ...head, body: relay() };

  async function* relay() {
    if ("failure" in answer) return;
    let bytes = 0;
    let failed: Failed | undefined = { failure: CALLER_LEFT, fault: null };
    try {
      // Its headers may give a length that it can't have.
      if (WITHOUT_BODY.has(answer.status)) {
        answer.drop();
        failed = undefined;
        return;
      }
      for await (const chunk of withoutKeyBytes(answer.body, key)) {
        bytes += chunk.byteLength;
        yield chunk;
      }
      // Refusing a bad request is what an app should do; anyone can send one.
      failed = answer.status >= 500 ? explainStatus(answer.status) : undefined;
    } catch (error) {
      failed = answer.explain(error);
      throw error;
    } finally {
      await finish(answer.status, failed, bytes);
    }
  }
}

type Failed = Pick<RequestFailure, "failure" | "fault">;

const NOT_READY = { code: "APP_NOT_RUNNING", fault: "app-not-running" } as const;

function hasBody({ method, headers }: EndpointRequest): boolean {
  const length = headers["content-length"];
  return (
    method !== "GET" &&
    method !== "HEAD" &&
    (headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0"))
  );
}

function send(
  origin: string,
  request: EndpointRequest,
  { attemptId, key, trace }: { attemptId: string; key: string; trace: TraceContext | undefined },
  deadlineMs: number,
): Promise<StreamedAnswer | RequestFailure> {
  const { method, path, query, headers, body, gone } = request;
  const length = headers["content-length"];
  const sendsBody = hasBody(request);
  return streamRequest({
    method,
    origin,
    path: path + query,
    headers: {
      ...requestHeaders(headers),
      ...traceHeaders(attemptId, trace),
      ...(sendsBody && typeof length === "string" ? { "content-length": length } : {}),
      [KEY_HEADER]: key,
    },
    body: sendsBody ? body : null,
    deadlineMs,
    gone,
  });
}

/** What the caller gets of the answer's head, or why the answer is not passed on. */
function readHead(
  answer: StreamedAnswer,
  { methods }: ServedEndpoint,
  { path, routeBase }: EndpointRequest,
  key: string,
): PassedHead | RequestFailure {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, withoutKeys(value, key)]),
  );
  const head = passHead({ status: answer.status, headers }, { path, base: `/r/${routeBase}`, methods });
  if ("headers" in head) return head;
  answer.drop();
  return { code: "APP_FAILED", ...head };
}

function withoutKeys(value: string | string[] | undefined, key: string): string | string[] | undefined {
  return typeof value === "string" ? withoutKey(value, key) : value?.map((each) => withoutKey(each, key));
}
