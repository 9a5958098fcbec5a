import type { AppFault } from "@/lib/contract/app-fault";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { getMember } from "@/lib/domain/json-text/json-value";
import { acceptsOperation } from "@/lib/domain/match-pattern";
import type { Platform } from "../platform/platform";
import { callApp, type AppCall, type FinishedCall } from "./call-app";
import { selectCallableRoute } from "./queries";

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

/** Makes the synchronous call of an autofill or rater route: sent once, at once, with 10 s to answer. */
export async function callRoute(
  platform: Platform,
  routeId: string,
  payload: unknown,
  scope: CallScope = {},
  console: Pick<AppCall, "test" | "record"> = {},
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
  const target = { installationId, routeId: route.id, revision, epoch, kind, origin, path, ...console };
  return toResult(
    await callApp(platform, { ...target, method: "POST", body, deadlineMs: DEADLINE_MS, expectsJson: true }),
  );
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
