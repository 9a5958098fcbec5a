import type { AppFault } from "@/lib/contract/app-fault";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { getMember } from "@/lib/domain/json-text/json-value";
import { acceptsOperation } from "@/lib/domain/match-pattern";
import type { Platform } from "../platform/platform";
import type { Db } from "../database/connect";
import { describeEnd, describeStart, openCall, sendCall, type FinishedCall } from "./call-steps";
import { recordsBodies, selectCallableRoute } from "./queries";
import { finishAttempts, insertAttempts } from "./record-queries";

const DEADLINE_MS = 10_000;

export interface CallResult {
  attemptId: string;
  /** The app's status; null if it didn't answer. */
  status: number | null;
  /** JSON if `failure` is null. */
  answer: string | null;
  contentType: string | null;
  durationMs: number;
  /** Why the call failed, for people; null if it succeeded. */
  failure: string | null;
  /** The same for machines. */
  failureCode: "APP_FAILED" | "APP_TIMED_OUT" | null;
  fault: AppFault | null;
}

/** The route must belong to it; a foreign one looks absent. The core passes its tenant, a page its organization. */
interface CallScope {
  organizationId?: string;
  tenantId?: string;
}

interface ConsoleCall {
  test?: boolean;
  /** Runs in the transaction that records the attempt: both happen, or neither. */
  record?: (tx: Db) => Promise<void>;
}

/** Makes the synchronous call of an autofill or rater route: sent once, at once, with 10 s to answer. */
export async function callRoute(
  platform: Platform,
  routeId: string,
  payload: unknown,
  scope: CallScope = {},
  console?: ConsoleCall,
): Promise<CallResult> {
  const route = isId(routeId) ? await selectCallableRoute(platform.db, routeId, scope) : undefined;
  if (route === undefined) throw new Problem("NOT_FOUND");
  const { kind, installationId, revision, epoch, origin, path } = route;
  if (kind !== "autofill" && kind !== "rater") {
    throw new Problem(
      "BAD_INPUT",
      "Only autofill and rater routes can be called directly. Send events to POST /core/v1/events.",
    );
  }
  if (route.state !== "RUNNING") {
    throw new Problem(
      "WRONG_STATE",
      "The app isn't running for this tenant. Start its installation, then call again.",
    );
  }
  if (kind === "autofill") requireOperation(route.patterns, payload);
  const body = JSON.stringify(payload ?? null);
  const operation = kind === "autofill" ? getMember(payload, "operation") : undefined;
  const open = openCall(platform, {
    ...{ installationId, routeId: route.id, revision, epoch, kind, origin, path, body, test: console?.test },
    method: "POST",
    recorded: console?.test === true || (await recordsBodies(platform.pool, installationId)),
    eventType: typeof operation === "string" ? operation : undefined,
    deadlineMs: DEADLINE_MS,
    expectsJson: true,
  });
  const start = await describeStart(platform, open);
  await platform.db.transaction(async (tx) => {
    await insertAttempts(tx, [start]);
    await console?.record?.(tx);
  });
  const finished = await sendCall(open);
  await finishAttempts(platform.db, [await describeEnd(platform, open, finished)]);
  return toResult(finished);
}

/** Refused before it reaches the app, which never has to handle an operation that it doesn't know. */
function requireOperation(declared: readonly string[], payload: unknown): void {
  const operation = getMember(payload, "operation");
  if (acceptsOperation(declared, operation)) return;
  const named =
    typeof operation === "string" ? `"${operation.slice(0, 100)}" is not one of them` : "it names none";
  throw new Problem(
    "OPERATION_NOT_DECLARED",
    `This route accepts the operations ${declared.join(", ")}, and ${named}. Send "operation" with the name of a declared operation.`,
  );
}

function toResult(finished: FinishedCall): CallResult {
  const { attemptId, status, answer, contentType, durationMs, failure, fault } = finished;
  const failureCode = failure === null ? null : fault === "app-timed-out" ? "APP_TIMED_OUT" : "APP_FAILED";
  return { attemptId, status, answer, contentType, durationMs, failure, failureCode, fault };
}
