/** What moderators see of the running platform: `/moderation/operation`. */
import type { ReportingPart } from "@/lib/contract/platform/availability";
import { AWAY_AFTER_MS } from "../platform/availability";

export interface PartProcess {
  id: string;
  part: ReportingPart;
  /** Null if it is of a release that didn't report it. */
  host: string | null;
  release: string | null;
  startedAt: Date;
  seenAt: Date;
  /** It began to end on purpose. */
  endedAt: Date | null;
}

/** Of the schema: what the database has, seen from the release that shows the page. */
export type SchemaState = "same" | "older" | "newer";

export interface Certificate {
  /** Whose it is, such as "the registry". */
  of: string;
  validUntil: Date;
}

/** How many instances one machine has, by what they do. */
export interface NodeInstances {
  /** Null if it is not known. */
  node: string | null;
  runtime: string;
  starting: number;
  /** They get calls, and their last health check succeeded. */
  healthy: number;
  /** They get calls, and their last health check failed. */
  failing: number;
  draining: number;
}

export interface Operation {
  /** By the database's clock, as all times except those of certificates. */
  now: Date;
  /** Of the process that shows the page. */
  release: string;
  schema: SchemaState;
  processes: readonly PartProcess[];
  /** How many others reported within a day, earlier than these. */
  moreProcesses: number;
  /** The platform was restored, and nobody has released it. */
  hold: { backedUpAt: Date; restoredAt: Date } | null;
  queues: readonly { queue: QueueName; due: number; leased: number; oldestSeconds: number }[];
  /** By the machine that they run on, the fullest first. */
  nodes: readonly NodeInstances[];
  /** On how many other machines some run. */
  moreNodes: number;
  /** Versions that crashed too often, installations in the state ERROR, and circuit breakers that are not closed. */
  failing: { versions: number; installations: number; breakers: number };
  store: {
    name: "folder" | "registry";
    blobs: number;
    bytes: number;
    /** Of a folder's disk, as far as this process sees it. */
    disk: { freeBytes: number; totalBytes: number } | null;
    /** Why it didn't answer. */
    problem: string | null;
  };
  masterKeys: readonly {
    id: string;
    isCurrent: boolean;
    /** Whether this process has it. */
    isPresent: boolean;
    /** Stored keys that it wraps. */
    wraps: number;
  }[];
  signingKeys: readonly { id: string; createdAt: Date }[];
  certificates: readonly Certificate[];
  /** The newest; null if none is recorded. */
  backup: {
    id: string;
    takenAt: Date;
    bytes: number;
    lostBlobs: number;
    checkedAt: Date | null;
  } | null;
}

/** Work that waits in tables of the database, as people call it. */
export const QUEUE_NAMES = {
  deliveries: "Events",
  installations: "Launches, stops, and uninstalls",
  upgrades: "Upgrades",
  evidence: "Review checks",
  configurationChecks: "Configuration checks",
  organizationDomains: "Checks of domains",
  mails: "Emails",
  logExcerpts: "Logs of failed calls",
  instanceLogs: "Logs of apps",
} as const;
export type QueueName = keyof typeof QUEUE_NAMES;

export const PART_NAMES: Record<ReportingPart, string> = { web: "Web", gateway: "Gateway", worker: "Worker" };

export type ProcessState = "working" | "ending" | "ended" | "away";

export function stateOf({ seenAt, endedAt }: PartProcess, now: Date): ProcessState {
  const isSilent = now.getTime() - seenAt.getTime() > AWAY_AFTER_MS;
  if (endedAt === null) return isSilent ? "away" : "working";
  return now.getTime() - endedAt.getTime() > DRAIN_MS ? "ended" : "ending";
}

/** A part that ends finishes its work within this time. */
const DRAIN_MS = 30_000;

/** Those that work or should, by part. One that was replaced on its own machine, or that ended on purpose, is not news. */
export function listProcesses({ processes, now }: Pick<Operation, "processes" | "now">): PartProcess[] {
  const isReplaced = (one: PartProcess) =>
    processes.some(
      (other) =>
        other.part === one.part &&
        (one.host === null || other.host === one.host) &&
        other.startedAt > one.seenAt &&
        other.id !== one.id,
    );
  return processes
    .filter((one) => {
      const state = stateOf(one, now);
      return state === "working" || state === "ending" || (state === "away" && !isReplaced(one));
    })
    .sort(
      (one, other) =>
        PARTS.indexOf(one.part) - PARTS.indexOf(other.part) ||
        one.startedAt.getTime() - other.startedAt.getTime(),
    );
}

const PARTS = Object.keys(PART_NAMES);

export const DAY_MS = 86_400_000;

/** Days that are left, rounded as `relativeTime` rounds them; 0 in the last half day. */
export function daysUntil(moment: Date, now: Date): number {
  return Math.max(0, Math.round((moment.getTime() - now.getTime()) / DAY_MS));
}

/** Such as "4 minutes". */
export function describeSeconds(seconds: number): string {
  const [unit, size] =
    seconds >= 2 * 86_400
      ? (["day", 86_400] as const)
      : seconds >= 2 * 3_600
        ? (["hour", 3_600] as const)
        : seconds >= 120
          ? (["minute", 60] as const)
          : (["second", 1] as const);
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
