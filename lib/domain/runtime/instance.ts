/** When a version that crashed is started again, and when it is parked: not started anymore until somebody unparks it. */
import type { LogLevel } from "@/lib/contract/runtime/app-log";
import { restartWaitMs } from "../calls/backoff";

/** Failures of this time slow down restarts and count toward a crash loop. */
export const BACKOFF_MINUTES = 60;

/**
 * So many crashes within `BACKOFF_MINUTES` park a version. With the waits between restarts, an app that exits at once is
 * parked after about 14 minutes. Only crashes that no call can have caused count: otherwise one customer's payload could
 * stop the app for all of its customers.
 */
export const CRASHES_TO_PARK = 10;

/** The record of a call may be written a moment after the crash that ended it. */
const RECORDED_AFTER_MS = 5_000;

interface Failures {
  lastFailure?: { at: Date };
  /** In the last `BACKOFF_MINUTES`, since the version was last unparked. */
  countedFailures: number;
}

/** When the version may be started again; undefined if at once. */
export function nextRestart({ lastFailure, countedFailures }: Failures): Date | undefined {
  const wait = restartWaitMs(countedFailures);
  return lastFailure === undefined || wait === 0 ? undefined : new Date(lastFailure.at.getTime() + wait);
}

/** Whether it is worth counting which crashes no call can have caused. */
export function mayBeCrashLoop({ lastFailure, countedFailures }: Failures, now: Date): boolean {
  if (lastFailure === undefined || countedFailures < CRASHES_TO_PARK) return false;
  return now.getTime() - lastFailure.at.getTime() >= RECORDED_AFTER_MS;
}

/** @param crashes that no call can have caused, in the last `BACKOFF_MINUTES`, since the version was last unparked */
export function isCrashLoop(crashes: number): boolean {
  return crashes >= CRASHES_TO_PARK;
}

/** What runs, or is left over, although nothing needs it. */

/** An instance that is live, or ended a short time ago. */
export interface Owner {
  versionId: string;
  handle: string | null;
  state: "STARTING" | "READY" | "DRAINING" | "FAILED" | "STOPPED";
  /** Null if it is live. */
  secondsSinceEnd: number | null;
}

interface Candidate {
  handle: string;
  /** Of automatic checks, their id. */
  versionId: string;
}

/** Ending an instance includes storing the end of its log and giving the app 10 seconds to exit. */
export const ENDING_SECONDS = 15;

/**
 * Whether something of ours on a runtime belongs to nobody. `owners` and `checking` must have been read after it was found: a
 * start is recorded before anything is created for it.
 * @param checking automatic checks that are running; they start instances of their own
 */
export function isStray(found: Candidate, owners: readonly Owner[], checking: ReadonlySet<string>): boolean {
  if (checking.has(found.versionId)) return false;
  return !owners.some((owner) => owns(owner, found));
}

function owns(owner: Owner, { handle, versionId }: Candidate): boolean {
  if (owner.handle === handle) return (owner.secondsSinceEnd ?? 0) < ENDING_SECONDS;
  // A start whose handle is not stored yet.
  return owner.state === "STARTING" && owner.versionId === versionId;
}

/** Why an app that runs cannot be reached: most of them listen on another port, or only inside their container. */

export interface Listener {
  port: number;
  loopback: boolean;
  /** What its socket is. One for IPv6 accepts IPv4 too, unless it was told not to: the kernel doesn't show which. */
  family: 4 | 6;
}

/** What listens, of the kernel's tables. @param tables rows of the kernel's tables of both families */
export function parseListeners(tables: string): Listener[] {
  return tables.split("\n").flatMap(parseListener);
}

/** A row is `sl local_address rem_address st …`. The address is hexadecimal in the host's byte order. */
function parseListener(row: string): Listener[] {
  const [, local, , state] = row.trim().split(/\s+/);
  const [address, port] = local?.split(":") ?? [];
  if (state !== "0A" || address === undefined || port === undefined) return [];
  // 127.0.0.11 is the engine's own name server.
  if (address === "0B00007F") return [];
  // A socket for IPv6 that is bound to an IPv4 address, such as `::ffff:127.0.0.1`.
  const mapped = /^0{16}FFFF0000([0-9A-F]{8})$/.exec(address)?.[1];
  const ipv4 = mapped ?? (address.length === 8 ? address : undefined);
  return [
    {
      port: Number.parseInt(port, 16),
      loopback: ipv4?.endsWith("7F") ?? address === "00000000000000000000000001000000",
      family: ipv4 === undefined ? 6 : 4,
    },
  ];
}

export interface Listening {
  /** The port in the app's `PLATFORM_PORT`. */
  port: number;
  listeners: readonly Listener[];
}

export const LISTEN_RULE = "It must listen on 0.0.0.0 and on the port in PLATFORM_PORT.";

const IPV6_ONLY =
  "It listens on [::] only for IPv6, and containers have only IPv4 addresses. It must listen on 0.0.0.0, or on [::] " +
  'for both: in nginx "listen 8080;" or "ipv6only=off", in Node without ipv6Only, in Go with "tcp" instead of "tcp6".';

/**
 * What is wrong and how to fix it; undefined if the app listens as it must.
 * @param refused connections to its port are refused, so a listener for IPv6 doesn't accept IPv4
 */
export function explainListening({ port, listeners }: Listening, refused = false): string | undefined {
  if (listeners.length === 0) return `It doesn't listen on any port. ${LISTEN_RULE}`;
  const expected = listeners.filter((listener) => listener.port === port);
  const open = expected.filter(({ loopback }) => !loopback);
  if (open.length > 0) return refused && open.every(({ family }) => family === 6) ? IPV6_ONLY : undefined;
  if (expected.length > 0) {
    const address = expected.some(({ family }) => family === 4) ? "127.0.0.1" : "::1";
    return `It listens on ${address}, which nothing outside its container can reach. It must listen on 0.0.0.0.`;
  }
  const ports = [...new Set(listeners.map((listener) => listener.port))].sort((a, b) => a - b);
  const named = ports.length === 1 ? `port ${ports[0]}` : `the ports ${ports.join(", ")}`;
  return `It listens on ${named}, not on the port in PLATFORM_PORT, which is ${port}. ${LISTEN_RULE}`;
}

interface StartSeen {
  withinSeconds: number;
  /** CPU time that it has used, in nanoseconds; undefined if that isn't known. */
  cpuNs?: number;
  /** Undefined if nobody has looked. */
  hasLog?: boolean;
  /** Nobody could look where it listens: only its port is known to refuse connections. */
  mayListenElsewhere?: boolean;
}

/**
 * About an app that runs but listens on no port yet when its time is up. It may be slow or stuck, which only its publisher can
 * tell, from what was seen.
 */
export function explainSlowStart({
  withinSeconds,
  cpuNs,
  hasLog,
  mayListenElsewhere = false,
}: StartSeen): string {
  const used = cpuNs === undefined ? "" : ` and has used ${(cpuNs / 1e9).toFixed(1)} s of CPU time`;
  const log = {
    true: " The end of its log shows how far it got.",
    false: " It has written nothing to its log so far.",
  };
  const seen = hasLog === undefined ? "" : log[`${hasLog}`];
  const [cause, fact] = mayListenElsewhere
    ? ["It may still be starting, or listen on another port or address", "nothing answers on its port"]
    : ["It may still be starting", "it doesn't listen on any port yet"];
  return (
    `${cause}: its process is running${used}, but ${fact}.${seen} ` +
    `Listen on 0.0.0.0 and on the port in PLATFORM_PORT within ${withinSeconds} s of the start, and do slow work after that.`
  );
}

// The level of a line that is a JSON object, as common logging libraries write it.

/** Longer lines are not worth the time. */
const LONGEST = 8 * 1024;
const NAMES = ["level", "severity", "lvl", "levelname", "log.level"];

const LEVELS: Record<string, LogLevel> = {
  fatal: "error",
  critical: "error",
  emergency: "error",
  alert: "error",
  error: "error",
  err: "error",
  warning: "warn",
  warn: "warn",
  info: "info",
  information: "info",
  notice: "info",
  debug: "debug",
  trace: "debug",
  verbose: "debug",
};

/** Null if the line has none. */
export function readLevel(line: string): LogLevel | null {
  if (!line.startsWith("{") || line.length > LONGEST) return null;
  const parsed = parse(line);
  if (typeof parsed !== "object" || parsed === null) return null;
  const entries = new Map<string, unknown>(Object.entries(parsed));
  const level = NAMES.map((name) => entries.get(name)).find((value) => value !== undefined);
  if (typeof level === "number") return readNumber(level);
  return typeof level === "string" && Object.hasOwn(LEVELS, level.toLowerCase())
    ? (LEVELS[level.toLowerCase()] ?? null)
    : null;
}

/** As pino and bunyan number them: 10 is trace, 60 is fatal. */
function readNumber(level: number): LogLevel | null {
  if (level < 10 || level > 60) return null;
  return level >= 50 ? "error" : level >= 40 ? "warn" : level >= 30 ? "info" : "debug";
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
