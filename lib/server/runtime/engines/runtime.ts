/** What runs a version. Every implementation must pass the conformance suite in `runtime.test.ts`. */
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { Problem } from "@/lib/contract/platform/problem";
import type { EgressWay } from "@/lib/contract/runtime/egress";
import { isAppFault, type ReasonCode } from "@/lib/contract/runtime/instance-reasons";
import type { Reach } from "@/lib/contract/runtime/isolation";
import type { Listening } from "@/lib/domain/runtime/instance";

/** What a version was created from: an image, or an example's folder. */
export type BundleKind = "image" | "example-folder";

export interface StartOrder {
  bundleKind: BundleKind;
  versionId: string;
  /** Which replica of the version it is. Two that run at the same time have different numbers. */
  replica: number;
  /** Who publishes it. */
  organizationId: string;
  /** The `<app-name>` half of the app's name. */
  appName: string;
  /** Digest of the image's configuration or of the example's folder, `sha256:…`, as moderated. */
  imageDigest: string;
  /**
   * The image's archive as `docker load` reads it, in case the engine does not have the image yet. It fails with a Problem, and
   * before its end, if a byte of it is not what was published.
   */
  openArchive: () => Promise<Readable>;
  /**
   * Where nodes pull the image, with the digest of its manifest: `registry.example:5000/apps@sha256:…`. Null if the platform
   * stores images in a folder.
   */
  imageReference: string | null;
  /** The app's environment. The runtime adds `PLATFORM_PORT`. */
  environment: { PLATFORM_STATE_API: string };
}

export interface Started {
  /** The runtime's identifier for what it started. Nothing else reads anything into it. */
  handle: string;
  /** Origin that gateway and worker call: an address on this machine, or the name of a service in a cluster. */
  origin: string;
  /** The machine that it runs on, as operators know it. */
  node?: string | undefined;
}

export type Inspection =
  | {
      running: true;
      origin: string;
      /** Something other than the platform ends it soon, such as the drain of its node. Completes "The app …". */
      leaving?: string;
      /** The machine that it runs on gets 200 from it. If the platform gets nothing, the network between them is at fault. */
      healthyThere?: boolean;
    }
  /** `reason` completes "The app …", such as "exited with code 1". `exitCode` is null if it is not known. */
  | ({ running: false } & Ending);

export interface Ending {
  code: ReasonCode;
  reason: string;
  exitCode: number | null;
}

/** `killed`: it did not end within its grace. */
export type Stopped = "ended" | "killed";

/** Something that this platform started, whether or not the database knows it. */
export interface Found {
  handle: string;
  versionId: string;
}

/** A connection to whatever reports changes. */
export interface ChangeWatch {
  /** Resolves when every change from now on is reported, as long as the connection lasts. */
  connected: Promise<void>;
  stop(): void;
}

export interface Usage {
  /** CPU time since it started, in nanoseconds. Null if only `cpuMillis` is known. */
  cpuNs: number | null;
  /** The CPU that it used lately, in thousandths of a core. */
  cpuMillis?: number;
  /** Memory now, in bytes, without caches that the kernel can drop. */
  memoryBytes: number;
  /** What it may use: CPU in thousandths of a core, and memory in bytes. Null: as much as the machine has. */
  limits: { cpuMillis: number; memoryBytes: number } | null;
}

/** A line of an app's output, or a part of a long one. */
export interface LogPiece {
  /** `stdout` if the runtime can't tell. */
  stream: "stdout" | "stderr";
  /** When it was written, in nanoseconds since 1970: the same at each read, and never less than before in its stream. */
  at: bigint;
  /** Ends with a line break if the line ends with it. */
  bytes: Buffer;
}

export interface FollowOptions {
  /** The `at` from which on it reads. */
  since?: bigint;
  /** Waits for more until the app ends. Otherwise it ends with what is there. */
  follow: boolean;
  signal: AbortSignal;
}

/** What is tried from inside an app's network: a TCP connection, or `GET path`, which must return 200. */
export interface ProbeTarget {
  /** An address, `NETWORK_GATEWAY` or `NEIGHBOR`. */
  host: string;
  port: number;
  path?: string;
  /** The host is a name, which is only looked up, as apps look up theirs. */
  isName?: boolean;
  /** It is the state API, which apps may reach under another address. */
  isStateApi?: boolean;
  /** Tried from where connections leave this machine: the egress guard's network, or the app's own without a guard. */
  isOutside?: boolean;
  /** For how long it is tried again while nothing answers; 0 by default. */
  retryMs?: number;
}

/** The machine's own address in the app's network. */
export const NETWORK_GATEWAY = "gateway";
/** Another app, which listens on the port that apps listen on, whatever the target's port is. */
export const NEIGHBOR = "neighbor";

export interface ProbeResult {
  /** `<host>:<port>`, with the addresses that `NETWORK_GATEWAY` and `NEIGHBOR` had. */
  address: string;
  seen: Reach;
}

export interface Runtime {
  name: "docker" | "process" | "kubernetes";
  /** False if apps can access this machine's files and network. */
  isolates: boolean;
  /**
   * First removes whatever ran for this replica before. Resolves when the app's process was started, or has ended already.
   * Throws an InstanceFailure that says how to fix it.
   */
  start(order: StartOrder): Promise<Started>;
  /**
   * Sends SIGTERM, and ends it after the grace. Removes everything created for it, and resolves when that is gone. Does nothing if it
   * is already gone.
   */
  stop(handle: string, graceSeconds: number): Promise<Stopped>;
  inspect(handle: string): Promise<Inspection>;
  /**
   * The end of its output, at most `bytes`, without control characters, and with nothing that it wrote before `since` or after
   * `until`. Lines are whole, unless there are more than `bytes`. Empty if the output does not exist anymore.
   */
  logTail(handle: string, bytes: number, since?: Date, until?: Date): Promise<string>;
  /** Its output as it comes. Ends when the app has ended, if nothing is known of it, and when the signal is aborted. */
  followLog(handle: string, options: FollowOptions): AsyncIterable<LogPiece>;
  /** What it listens on, if known. Helps publishers who chose the wrong port. */
  listening?(handle: string): Promise<Listening | undefined>;
  /** What it uses; undefined if it isn't running or can't be measured. */
  usage(handle: string): Promise<Usage | undefined>;
  /**
   * Tries the targets, in their order, from something that is limited and connected like an app. Takes about two seconds.
   * Throws an InstanceFailure if it can't be done.
   */
  probe?(targets: readonly ProbeTarget[]): Promise<ProbeResult[]>;
  /** What keeps apps that start now to their hosts. Not there if nothing can. Throws an InstanceFailure if it isn't known now. */
  egressWay?(): Promise<EgressWay>;
  /** Reads again what apps may reach, and puts it into force. Not there if nothing limits that. */
  refreshEgress?(): Promise<void>;
  /** Handles of apps that run with another way out than apps that start now. */
  listOnOtherWay?(): Promise<string[]>;
  /** Removes what limits what apps may reach. Those that still run reach nothing then. */
  removeGuard?(): Promise<void>;
  /** Removes what is left of probes whose worker died. */
  removeAbandonedProbes?(): Promise<void>;
  /**
   * Reports the handle of whatever ends, or is about to be ended by something other than the platform, at once and until it is stopped:
   * `inspect` says which. It may miss some and report some twice, so health checks look as well.
   */
  watchChanges(report: (handle: string) => void): ChangeWatch;
  /** Everything that this platform started, in any state and on all machines. */
  list(): Promise<Found[]>;
  /** What this platform created around apps, such as their networks, and no app uses. That of a start in progress is among it. */
  listNetworks?(): Promise<Found[]>;
  /** Undoes what others changed in what this platform created around apps that run. */
  putBack?(): Promise<void>;
  /** Does nothing if it is gone, or used again. */
  removeNetwork?(handle: string): Promise<void>;
  /**
   * Removes images that this platform put there, that were not used since, and that have none of these digests. Returns how
   * many.
   */
  removeImages?(wanted: ReadonlySet<string>, unusedSince: Date): Promise<number>;
  /** Called once when the worker ends. Stops what cannot outlive it and returns those handles. */
  close(): Promise<string[]>;
}

/** How a process ended. A shell or an engine reports a signal as 128 plus its number. */
export function describeExit(code: number | null, signal: NodeJS.Signals | null = null): Ending {
  const exitCode = signal === null ? code : SIGNAL_BASE + constants.signals[signal];
  const name = SIGNALS.get((exitCode ?? 0) - SIGNAL_BASE);
  const reason =
    name === undefined ? `exited with code ${exitCode ?? "unknown"}` : `was killed by signal ${name}`;
  return { code: "EXITED", reason, exitCode };
}

const SECOND_NS = 1_000_000_000n;

/** A time as engines write it before a line, such as `2026-11-23T09:21:59.123456789Z`, in nanoseconds since 1970. */
export function parseLogTime(text: string): bigint | undefined {
  const [, seconds, fraction = "", zone] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (seconds === undefined || zone === undefined) return undefined;
  return BigInt(Date.parse(seconds + zone) / 1_000) * SECOND_NS + BigInt(fraction.padEnd(9, "0"));
}

const SIGNAL_BASE = 128;
const SIGNALS = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** Whole terminal escape sequences: CSI, OSC, and the two-byte kind. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** Control characters except tab and newline, and marks that change the direction of text. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The last `bytes` of an app's output, made harmless to show in a page or a terminal. */
export function cleanLog(raw: Buffer | string, bytes: number): string {
  const buffer = typeof raw === "string" ? Buffer.from(raw) : raw;
  return cleanText(buffer.subarray(-bytes).toString("utf8")).replace(/^\uFFFD+/, "");
}

/** An app's text without escape codes and control characters, except for tabs and line breaks. */
export function cleanText(text: string): string {
  return text.replace(ESCAPES, "").replaceAll("\r\n", "\n").replace(CONTROLS, "");
}

const MOST_QUOTED = 1_000;

/**
 * A message of a container engine, a cluster, a kernel or another program as part of a sentence of ours: on one line, without the blanks,
 * period or colon that it ends with. It may quote the image.
 */
export function quoteMessage(message: string): string {
  const line = cleanText(message).replaceAll(/\s+/g, " ").trim().slice(0, MOST_QUOTED);
  return line.replace(/[\uD800-\uDBFF]$/, "").replace(/[\s.:;,]+$/, "");
}

/** Why an instance could not be started: APP_FAILED if its publisher can fix that, UNAVAILABLE otherwise. */
export class InstanceFailure extends Problem {
  constructor(
    readonly reasonCode: ReasonCode,
    /** The reason, as a sentence that says how to fix it. */
    detail: string,
    readonly exitCode: number | null = null,
  ) {
    const sentence = detail.trim();
    super(
      isAppFault(reasonCode) ? "APP_FAILED" : "UNAVAILABLE",
      /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`,
    );
  }
}
