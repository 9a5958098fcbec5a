import type { AppFault } from "@/lib/contract/app-fault";
import type { RouteKind } from "@/lib/contract/installation-states";
import { fail, joinSome, listSome, pass, skip, warn, type Verdict } from "./verdict";

/**
 * 1: only the first customer. 2: only the second. 3: both at the same time. 4: both after a restart.
 */
export type Round = 1 | 2 | 3 | 4;

/** A sample call and its result. */
export interface CallSeen {
  /** 0 or 1. */
  customer: number;
  round: Round;
  kind: RouteKind;
  /** Such as `POST /autofill (newBusiness.create)`. */
  what: string;
  status: number | null;
  /** Why it failed, for people; null if it succeeded. */
  failure: string | null;
  fault: AppFault | null;
  /** Without the call's own state key. */
  answer: string | null;
  durationMs: number;
  /** How often its own state key read the state. */
  reads: number;
}

const isHook = ({ kind }: CallSeen) => kind === "lifecycle";

export function judgeHooks(calls: readonly CallSeen[]): Verdict {
  const hooks = calls.filter(isHook);
  if (hooks.length === 0) return skip("The manifest declares no lifecycle hooks.");
  const failed = hooks.filter(({ failure }) => failure !== null);
  if (failed.length === 0)
    return pass(`${listSome(hooks.map(({ what }) => what))} answered for both made-up customers.`);
  // A hook may refuse made-up credentials; one that is not there, or gives no answer, can never work.
  const broken = failed.filter((call) => !isRefusal(call));
  if (broken.length > 0)
    return fail(
      `${describeFailures(broken)} A hook must answer 2xx within 60 s, or the installation ends in an error.`,
    );
  return warn(`${describeFailures(failed)} ${MADE_UP}`);
}

/** @param skipped declared routes that got no sample call, because there are too many or no time was left */
export function judgeRoutes(calls: readonly CallSeen[], skipped: readonly string[]): Verdict {
  const sent = calls.filter((call) => !isHook(call) && call.round !== 4);
  if (sent.length === 0) return skip("The manifest declares no routes that can be called with a sample.");
  const failed = sent.filter(({ failure }) => failure !== null);
  const broken = failed.filter((call) => !isRefusal(call));
  if (broken.length > 0) return fail(`${describeFailures(broken)} Each declared route must answer.`);
  if (failed.length > 0) return warn(`${describeFailures(failed)} ${MADE_UP}`);
  if (skipped.length > 0) return warn(`${describeAnswers(sent)} Not called: ${listSome(skipped)}.`);
  return pass(describeAnswers(sent));
}

const MADE_UP =
  "The settings are made up, so this may be expected. If so, tell the moderator why in a comment. Otherwise, fix it.";

/** It answered, and may have had a reason: nobody can sign in with a made-up password. */
function isRefusal({ fault, status, kind }: CallSeen): boolean {
  // An endpoint decides about requests that it doesn't expect, such as a callback without its parameters.
  if (kind === "endpoint") return status !== null;
  return (
    fault === "app-response-status" && status !== null && status >= 400 && ![404, 405, 410].includes(status)
  );
}

function describeFailures(calls: readonly CallSeen[]): string {
  return joinSome(calls.map(({ what, failure }) => `${what}: ${failure ?? ""}`));
}

function describeAnswers(calls: readonly CallSeen[]): string {
  const slowest = Math.max(...calls.map(({ durationMs }) => durationMs));
  return `All ${calls.length} sample calls were answered. The slowest took ${Math.round(slowest)} ms.`;
}

/** @param declares the manifest has settings or mapping fields */
export function judgeState(calls: readonly CallSeen[], declares: boolean): Verdict {
  if (calls.length === 0) return skip("No call could be sent to it.");
  const reading = calls.filter(({ reads }) => reads > 0);
  if (reading.length > 0)
    return pass(`${reading.length} of ${calls.length} calls read their state with the key of the call.`);
  if (!declares) return pass("No call read its state, and the manifest declares nothing to configure.");
  return warn(
    "No sample call read its state, although the manifest declares settings or mapping fields. Read them with GET {PLATFORM_STATE_API}/state/<x-PLATFORM-key> in each call, or remove them from the manifest.",
  );
}
