import type { RouteKind } from "@/lib/contract/catalog/installation-states";
import type { AppFault } from "@/lib/contract/platform/issue-codes";
import { explainListening, explainSlowStart, type Listening } from "../runtime/instance";
import { fail, joinSome, listSome, pass, skip, type Verdict, warn } from "./verdict";

export interface StartSeen {
  ready: boolean;
  ms: number;
  /** It ended by itself: completes "The app …". */
  exit?: string;
  /** What was wrong with its last answer to GET /health, or that there was none. */
  problem?: string;
  /** It answered GET /health in some way. */
  answered: boolean;
  /** Undefined if the runtime can't tell. */
  listening?: Listening;
}

interface StartLimits {
  readyWithinMs: number;
}

/** A slower start makes every restart and upgrade slow. */
const SLOW_MS = 10_000;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;

export function judgeStart(
  seen: StartSeen,
  { readyWithinMs }: StartLimits,
): Record<"port" | "health" | "start-time", Verdict> {
  const within = `within ${seconds(readyWithinMs)}`;
  if (seen.ready) {
    const took = `It was healthy after ${seconds(seen.ms)}.`;
    return {
      port: pass("It accepts connections on 0.0.0.0 at the port in PLATFORM_PORT."),
      health: pass(
        `GET /health returned 200 after ${seconds(seen.ms)}. The limit is ${seconds(readyWithinMs)}.`,
      ),
      "start-time":
        seen.ms > SLOW_MS
          ? warn(
              `${took} Every restart and upgrade takes this long. Do less work before the app listens, so that it starts within ${seconds(SLOW_MS)}.`,
            )
          : pass(took),
    };
  }
  const startTime = skip("The app did not become healthy.");
  if (seen.exit !== undefined)
    return {
      port: skip("The app ended before it could be checked."),
      health: fail(`Before GET /health returned 200, the app ${seen.exit}. Its log says why.`),
      "start-time": startTime,
    };
  const astray = explainPort(seen);
  if (astray !== undefined)
    return {
      port: fail(astray),
      health: skip("Nothing answers at the port in PLATFORM_PORT, so GET /health can't be called."),
      "start-time": startTime,
    };
  return {
    port: pass("It accepts connections on 0.0.0.0 at the port in PLATFORM_PORT."),
    health: fail(
      `The app was not healthy ${within}. ${seen.problem ?? "GET /health must return exactly 200."}`,
    ),
    "start-time": startTime,
  };
}

function explainPort({ listening, answered, ms }: StartSeen): string | undefined {
  if (answered) return undefined;
  const mayListenElsewhere = listening === undefined;
  return mayListenElsewhere || listening.listeners.length === 0
    ? explainSlowStart({ withinSeconds: Math.round(ms / 1_000), mayListenElsewhere })
    : explainListening(listening, true);
}

interface RestartSeen {
  start: StartSeen;
  /** It did not end within its grace after SIGTERM. */
  killed: boolean;
  graceSeconds: number;
  /** Why calls failed that had succeeded before it. */
  failures: string[];
}

export function judgeRestart({ start, killed, graceSeconds, failures }: RestartSeen): Verdict {
  if (!start.ready) {
    const why = start.exit === undefined ? (start.problem ?? "") : `It ${start.exit}.`;
    return fail(
      `It did not become healthy again. ${why} Apps are stateless: they must start without anything that an earlier run left.`.replaceAll(
        "  ",
        " ",
      ),
    );
  }
  const [failure] = failures;
  if (failure !== undefined)
    return fail(
      `Calls that succeeded before a restart failed after it. ${failure} Apps must keep nothing between calls.`,
    );
  if (killed)
    return warn(
      `It did not end within ${graceSeconds} s of SIGTERM, so it was killed. End it on SIGTERM, or its requests in progress are cut off.`,
    );
  return pass(
    `It stopped on SIGTERM, was healthy again after ${seconds(start.ms)}, and responded as before.`,
  );
}

/** Of the memory that an app may use. */
const MUCH = 0.75;
const MEBIBYTE = 1024 * 1024;

export function judgeMemory(bytes: number | undefined, limitBytes: number): Verdict {
  if (bytes === undefined) return skip("This runtime can't measure memory.");
  const used = `${Math.ceil(bytes / MEBIBYTE)} MiB of ${limitBytes / MEBIBYTE} MiB after the sample calls`;
  if (bytes <= limitBytes * MUCH) return pass(`It uses ${used}.`);
  return warn(
    `It uses ${used}. An app that uses more is killed. Use less memory, or it may be killed under load.`,
  );
}

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
  if (calls.length === 0) return skip("No calls could be sent to it.");
  const reading = calls.filter(({ reads }) => reads > 0);
  if (reading.length > 0)
    return pass(`${reading.length} of ${calls.length} calls read their state with the key of the call.`);
  if (!declares) return pass("No call read its state, and the manifest declares nothing to configure.");
  return warn(
    "No sample call read its state, although the manifest declares settings or mapping fields. Read them with GET {PLATFORM_STATE_API}/state/<x-PLATFORM-key> in each call, or remove them from the manifest.",
  );
}

interface CustomersSeen {
  calls: readonly CallSeen[];
  /** Of each customer: texts that occur in its settings and payloads, and nowhere else. */
  markers: readonly (readonly string[])[];
  /** The first customer's keys read the state while only the second was served. */
  staleReads: boolean;
}

const RULE =
  "One instance serves many customers: read the state with the key of each request, and keep none of it afterward.";

export function judgeCustomers({ calls, markers, staleReads }: CustomersSeen): Verdict {
  if (calls.length === 0) return skip("No calls could be sent to it.");
  const mixed = calls.filter(({ customer, answer }) =>
    markers.some((own, other) => other !== customer && containsAny(answer, own)),
  );
  if (mixed.length > 0)
    return fail(
      `${listSome(mixed.map(({ what }) => what))} returned one customer's values to another. ${RULE}`,
    );
  const second = calls.filter(({ round }) => round === 2);
  if (staleReads && second.some(({ reads }) => reads === 0))
    return fail(`It read one customer's state with the key of another customer's call. ${RULE}`);
  const unread = second.filter(
    ({ what, reads }) =>
      reads === 0 && calls.some((first) => first.round === 1 && first.what === what && first.reads > 0),
  );
  if (unread.length > 0)
    return warn(
      `${listSome(unread.map(({ what }) => what))} read the state for the first customer, but not for the second. Make sure that it doesn't keep the state of a customer. ${RULE}`,
    );
  if (calls.every(({ answer }) => answer === null)) return skip("No call was answered.");
  return pass(
    `${calls.length} calls for two made-up customers, one after another and at the same time, contained none of the other customer's data.`,
  );
}

function containsAny(answer: string | null, markers: readonly string[]): boolean {
  const text = answer?.toLowerCase() ?? "";
  return markers.some((marker) => text.includes(marker.toLowerCase()));
}

/** A secret that was found where it must not be. */
export interface Leak {
  /** Such as `the setting apiKey` or `a state key`. */
  what: string;
  /** Such as `its log` or `the answer to POST /rate`. */
  where: string;
}

export function judgeSecrets(leaks: readonly Leak[], searched: { answers: number; log: boolean }): Verdict {
  if (leaks.length > 0)
    return fail(
      `It wrote ${listSome(leaks.map(({ what, where }) => `${what} to ${where}`))}. Remove it there, because everyone who can read the log or the response can read the secret.`,
    );
  if (!searched.log && searched.answers === 0) return skip("There was no log or response to search.");
  return pass(
    `No secret setting, state key, or token is in ${searched.log ? "its log or " : ""}${searched.answers} responses, in any common encoding.`,
  );
}
