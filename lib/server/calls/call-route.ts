import { z } from "zod";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { type Issue, parseInput, Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { requireOperation } from "@/lib/domain/calls/events";
import type { TraceContext } from "@/lib/domain/calls/trace";
import { type RecognizedCore, wrongCredentials } from "../accounts/credentials/authenticate-core";
import type { Db } from "../platform/database/connect";
import { createGroups } from "../platform/database/groups";
import type { Environment } from "../platform/environment";
import { connect, type Foundation, type Platform } from "../platform/platform";
import { describeStart, type FinishedCall, openCall, reportUnreachable, sendCall } from "./call-steps";
import { recordAttempts } from "./record-queries";
import {
  type CallableRoute,
  type CallOfCore,
  type FoundCall,
  selectCallableRoute,
  selectCallsOfCores,
} from "./route-queries";
import { toProblemCode } from "./send-request";
import { waitForApp } from "./wait-for-app";

const DEADLINE_MS = 10_000;
/** What a call that wakes its app keeps of its deadline for the app's answer. */
const CALL_MS = 2_000;
/** How long a call may still use an app's instance after it was replaced: waiting for a place, then the deadline. */
export const LONGEST_CALL_SECONDS = DEADLINE_MS / 1_000 + 4;

/** Not `z.json()`, which would drop a member named `__proto__`. */
const anyPayload = z.unknown();

export interface CallResult {
  attemptId: string;
  /** The app's status; null if it didn't answer. */
  status: number | null;
  /** As documented in `lib/contract/calls/app-answer.ts` if `failure` is null. */
  answer: string | null;
  contentType: string | null;
  durationMs: number;
  /** Why the call failed, for people; null if it succeeded. */
  failure: string | null;
  /** The same for machines. */
  failureCode: "APP_FAILED" | "APP_NOT_RUNNING" | "APP_TIMED_OUT" | null;
  fault: AppFault | null;
  /** Where the answer is not as documented. */
  issues: Issue[];
}

interface CallOptions {
  /** The route must belong to it; a foreign one looks absent. */
  organizationId?: string;
  /** Sent from the console by a member. */
  test?: boolean;
  /** Runs in the transaction that records the attempt before it is sent: both happen, or neither. */
  record?: (tx: Db) => Promise<void>;
  /** The payload as a person wrote it, which is what the app gets. */
  text?: string;
}

/**
 * A core's call: one read before the app is called, and no write before the core gets the answer. The app gets the payload's text
 * as it was sent. Throws WRONG_CREDENTIALS, and what `callRoute` throws.
 */
export async function callRouteAsCore(
  platform: Platform,
  core: RecognizedCore,
  routeId: string,
  body: string,
  trace?: TraceContext,
): Promise<CallResult> {
  const receivedMs = performance.now();
  const payload = parseInput(anyPayload, body);
  const { coreCalls, cores } = platform.services;
  const { hash, organizationId } = core;
  const found = await coreCalls.find(organizationId, { hash, routeId: isId(routeId) ? routeId : null });
  if (found === undefined) throw wrongCredentials();
  cores.uses.note(found.credentialId, true);
  return send(platform, { route: found.route, payload, body, receivedMs, trace });
}

/** Makes the synchronous call of an autofill or rater route: sent once, at once, with 10 s to answer. */
export async function callRoute(
  platform: Platform,
  routeId: string,
  payload: unknown,
  { organizationId, test, record, text }: CallOptions = {},
): Promise<CallResult> {
  const receivedMs = performance.now();
  const route = isId(routeId)
    ? await selectCallableRoute(platform.pool, routeId, organizationId ?? null)
    : undefined;
  const body = text ?? JSON.stringify(payload ?? null);
  return send(platform, { route, payload, body, receivedMs, test, record });
}

interface Sending extends Pick<CallOptions, "test" | "record"> {
  route: CallableRoute | undefined;
  payload: unknown;
  /** The payload's text. */
  body: string;
  receivedMs: number;
  trace?: TraceContext;
}

async function send(platform: Platform, sending: Sending): Promise<CallResult> {
  const { route, payload, body, receivedMs, test, record, trace } = sending;
  if (route === undefined) throw new Problem("NOT_FOUND");
  const eventType = requireCallable(route, payload);
  const { installationId } = route;
  const { replicas, wokenMs, waitedMs, leave } = await waitForApp(platform, route, DEADLINE_MS - CALL_MS);
  try {
    const call = openCall(platform, {
      installationId,
      routeId: route.routeId,
      revision: route.revision,
      epoch: route.epoch,
      kind: route.kind,
      test,
      eventType,
      trace,
      receivedMs,
      queueMs: Math.round(waitedMs + wokenMs),
      spentMs: performance.now() - receivedMs - waitedMs - wokenMs,
      recorded: test === true || route.recorded,
      replicas,
      method: "POST",
      path: route.path,
      body,
      deadlineMs: DEADLINE_MS - Math.round(wokenMs),
    });
    if (record !== undefined) {
      // For a page that is about to open the call.
      const start = await describeStart(platform, call);
      await platform.db.transaction(async (tx) => {
        await recordAttempts(tx, [start]);
        await record(tx);
      });
    }
    const finished = await sendCall(platform, call);
    reportUnreachable(platform, installationId, finished);
    const { recorder } = platform.services;
    recorder.record(call, finished);
    // A page already shows its start.
    if (record !== undefined) await recorder.flush();
    return toResult(finished);
  } finally {
    leave();
  }
}

/** Returns the autofill's operation. Throws BAD_INPUT, WRONG_STATE and OPERATION_NOT_DECLARED. */
function requireCallable({ kind, state, patterns }: CallableRoute, payload: unknown): string | undefined {
  if (kind !== "autofill" && kind !== "rater") {
    throw new Problem(
      "BAD_INPUT",
      "Only autofill and rater routes can be called directly. Send events to POST /core/v1/events.",
    );
  }
  if (state !== "RUNNING") {
    throw new Problem(
      "WRONG_STATE",
      "The app isn't running for this tenant. Start its installation, then call again.",
    );
  }
  if (kind === "rater") return undefined;
  // Refused before it reaches the app, which never has to handle an operation that it doesn't know.
  return requireOperation(patterns, payload);
}

function toResult(finished: FinishedCall): CallResult {
  const { attemptId, status, answer, contentType, durationMs, failure, fault, issues = [] } = finished;
  const failureCode = fault === null ? null : toProblemCode(fault);
  return { attemptId, status, answer, contentType, durationMs, failure, failureCode, fault, issues };
}

const GROUPS = { lanes: 2, items: 64 };

/** Finds what a core calls. Calls at the same time share statements, in which organizations take turns. */
interface CoreCalls {
  /** Undefined if the credential doesn't work. @param organizationId whose turn it is */
  find: (organizationId: string, call: CallOfCore) => Promise<FoundCall | undefined>;
  close: () => Promise<void>;
}

declare module "../platform/platform" {
  interface Services {
    coreCalls: CoreCalls;
  }
}

export function createCoreCalls(foundation: Foundation): CoreCalls {
  // Planned once, as for state reads: PostgreSQL would plan each small group again.
  const options = "-c plan_cache_mode=force_generic_plan";
  const { pool } = connect(foundation, "core-calls", { max: GROUPS.lanes, options, allowExitOnIdle: true });
  const groups = createGroups(GROUPS, async (calls: CallOfCore[]) => {
    const found = await selectCallsOfCores(pool, calls);
    return calls.map((_call, place) => ({ found: found.get(place) }));
  });
  return {
    find: async (organizationId, call) => (await groups.add(organizationId, call)).found,
    close: () => pool.end(),
  };
}

/** The URL of a `routeId`, or of an installation's route base. */
export function routeUrl(environment: Pick<Environment, "PLATFORM_GATEWAY_URL">, id: string): string {
  return `${environment.PLATFORM_GATEWAY_URL.replace(/\/+$/, "")}/r/${id}`;
}
