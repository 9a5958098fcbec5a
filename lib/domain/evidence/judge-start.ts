import { explainListening, LISTEN_RULE, type Listening } from "../explain-listening";
import { fail, pass, skip, warn, type Verdict } from "./verdict";

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
      health: fail(`The app ${seen.exit} before GET /health returned 200. Its log says why.`),
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

function explainPort({ listening, answered }: StartSeen): string | undefined {
  if (answered) return undefined;
  return listening === undefined
    ? `Nothing answers at its port. ${LISTEN_RULE}`
    : explainListening(listening);
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
      `It did not end within ${graceSeconds} s of SIGTERM, so it was killed. Handle SIGTERM in its first process, or its requests in progress are cut off.`,
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
