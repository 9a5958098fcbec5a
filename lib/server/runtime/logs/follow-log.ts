import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { readLevel } from "@/lib/domain/runtime/instance";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import { giveBackLeases } from "../../platform/lease-queries";
import type { Platform } from "../../platform/platform";
import { reportFailure } from "../../platform/database/repeated-failures";
import { keptSince, type RetentionJob, type RetentionOptions } from "../../platform/retention-queries";
import type { Runtimes } from "../engines/choose-runtime";
import type { Runtime } from "../engines/runtime";
import {
  createLogBuffer,
  type Entry,
  type LineEntry,
  LINES_PER_SECOND,
  type LogPosition,
} from "./log-buffer";
import {
  type ClaimedLog,
  claimLog,
  claimLogs,
  closeLog,
  deleteOldLines,
  insertLines,
  insertLogs,
  isLogClosed,
  type NewLine,
  selectOverfullLogs,
} from "./queries";
import { redactLines } from "./redact-lines";
import { forgetVersionSecrets, readVersionSecrets } from "./version-secrets";

/** How many instances a worker follows at once. */
const LIMIT = 500;

/** Until it looks again at a log that ended although its instance has not, or that can't be read. */
const AGAIN_SECONDS = 2;

/** Follows the logs of all instances. `signal`: leaves them to other workers, after storing what was read. */
export function logPool(platform: Platform, runtimes: Runtimes, signal: AbortSignal): Pool<ClaimedLog> {
  return {
    name: "instanceLogs",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: async (free, lease) => {
      await insertLogs(platform.db);
      return claimLogs(platform.db, free, lease);
    },
    handle: (log) => handleLog(platform, runtimes, log, signal),
  };
}

async function handleLog(
  platform: Platform,
  runtimes: Runtimes,
  log: ClaimedLog,
  signal: AbortSignal,
): Promise<void> {
  const runtime = runtimes.byName(log.runtime);
  try {
    if (runtime !== undefined) await followLog(platform, runtime, { log, follow: true, signal });
    if (!signal.aborted && (await closeLog(platform.db, log)))
      return forgetVersionSecrets(platform, log.versionId);
  } catch (error) {
    reportFailure(platform.log, "store logs of apps", {
      err: error,
      level: "warn",
      message: "an app's log could not be stored; trying again",
      facts: { instance: log.id },
    });
    // The database may be down, too.
    await sleep(AGAIN_SECONDS * 1_000, undefined, { signal }).catch(() => undefined);
  }
  await giveBackLeases(platform.db, "instanceLogs", [log], signal.aborted ? 0 : AGAIN_SECONDS);
}

const STORE_MS = 250;

/** After storing for some time, it pauses for this many times as long, so that a flood takes a small part of a worker. */
const PAUSE_PER_STORE = 4;

/** Most of a line that is stored. */
const LINE_BYTES = 8 * 1024;

/** Lines that are read in a second only to count them. Beyond that, the engine keeps or forgets them. */
const COUNTED_LINES = 5_000;

interface FollowLog {
  log: ClaimedLog;
  /** False: stores what there is now. */
  follow: boolean;
  signal: AbortSignal;
}

/**
 * Stores what an instance writes, from where it was left, until the instance ends or the signal is aborted. Throws if the
 * runtime or the database fails: what is not stored is read again.
 */
async function followLog(platform: Platform, runtime: Runtime, options: FollowLog): Promise<void> {
  const { log, follow, signal } = options;
  const buffer = createLogBuffer(log.position);
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  let isRead = false;
  const reading = readInto(buffer, runtime, log, follow, both).finally(() => (isRead = true));
  // It is awaited below, after what was read is stored.
  reading.catch(() => undefined);
  try {
    for (;;) {
      const isLast = isRead;
      if (isLast) await reading;
      const hasEnded = isLast && !(await runtime.inspect(log.handle)).running;
      if (hasEnded) buffer.end();
      const startedAt = performance.now();
      // Lines whose continuation can't be seen yet are left to the next worker that follows the log, if one can.
      const everything = hasEnded || (isLast && !follow);
      if (!(await storeEntries(platform, log, buffer, everything))) return;
      if (isLast) return;
      const pause = Math.max(STORE_MS, (performance.now() - startedAt) * PAUSE_PER_STORE);
      await Promise.race([sleep(pause), reading.catch(() => undefined)]);
    }
  } finally {
    ended.abort();
  }
}

async function readInto(
  buffer: ReturnType<typeof createLogBuffer>,
  runtime: Runtime,
  { handle, position }: ClaimedLog,
  follow: boolean,
  signal: AbortSignal,
): Promise<void> {
  let second = 0;
  let dropped = 0;
  for await (const piece of runtime.followLog(handle, { since: firstAt(position), follow, signal })) {
    if (buffer.push(piece)) continue;
    const now = Math.floor(Date.now() / 1_000);
    dropped = now === second ? dropped + 1 : 1;
    second = now;
    // The engine waits meanwhile.
    if (dropped >= COUNTED_LINES) await sleep(1_000 - (Date.now() % 1_000));
  }
}

/** From the earlier of both, because the streams are not in one order. */
function firstAt({ stdout, stderr }: LogPosition): bigint | undefined {
  if (stdout === undefined || stderr === undefined) return stdout?.at ?? stderr?.at;
  return stdout.at < stderr.at ? stdout.at : stderr.at;
}

/** False if another worker follows the log now. */
async function storeEntries(
  platform: Platform,
  log: ClaimedLog,
  buffer: ReturnType<typeof createLogBuffer>,
  everything: boolean,
): Promise<boolean> {
  const { ready, before, after } = buffer.read(everything);
  const last = ready.at(-1);
  if (last === undefined) return true;
  // Read after the lines: an app can't have written a secret that was saved later.
  const { find, unknownUntil } = await readVersionSecrets(platform, log.versionId);
  const isKnown = ({ at }: Entry) =>
    unknownUntil === undefined || at > BigInt(unknownUntil.getTime()) * 1_000_000n;
  const lines = ready.filter((entry): entry is LineEntry => "text" in entry && isKnown(entry));
  const texts = new Map(redactLines(find, before, lines, after).map((text, index) => [lines[index], text]));
  const rows: NewLine[] = [];
  let withheld = 0;
  for (const entry of ready) {
    const text = "text" in entry ? texts.get(entry) : undefined;
    if ("text" in entry && text === undefined) {
      withheld += 1;
      continue;
    }
    if (withheld > 0) rows.push(describeGap(entry.at, explainWithheld(withheld)));
    withheld = 0;
    if ("text" in entry) rows.push(toLine(entry, text ?? ""));
    else rows.push(describeGap(entry.at, explainDropped(entry.dropped)));
  }
  if (withheld > 0) rows.push(describeGap(last.at, explainWithheld(withheld)));
  const isOurs = await platform.db.transaction((tx) => insertLines(tx, log, rows, last.position));
  buffer.settle(ready.length);
  return isOurs;
}

function toLine({ at, stream, cutBytes }: LineEntry, text: string): NewLine {
  const bytes = Buffer.from(text);
  const level = cutBytes > 0 ? null : readLevel(text);
  const common = { at: toMicroseconds(at), stream, level };
  if (bytes.length <= LINE_BYTES) return { ...common, text, cutBytes };
  const shown = bytes
    .subarray(0, LINE_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "");
  return { ...common, text: shown, cutBytes: cutBytes + bytes.length - Buffer.byteLength(shown) };
}

function describeGap(at: bigint, text: string): NewLine {
  return { at: toMicroseconds(at), stream: "platform", level: null, text, cutBytes: 0 };
}

const toMicroseconds = (at: bigint) => String(at / 1_000n);

const count = (lines: number) => (lines === 1 ? "1 line" : `${lines.toLocaleString("en-US")} lines`);

function explainDropped(lines: number): string {
  const most = lines >= COUNTED_LINES ? "At least " : "";
  return `${most}${count(lines)} dropped: the app writes more than ${LINES_PER_SECOND} lines or 64 KiB per second.`;
}

function explainWithheld(lines: number): string {
  return `${count(lines)} left out: they may contain a customer's secret that is no longer stored.`;
}

const LONGEST_MS = 3_000;
const POLL_MS = 50;

/**
 * Stores the rest of an instance's log before its container is removed, or waits shortly until the worker that follows it has.
 * A container that still runs is not waited for: the worker that follows it reads until it ends. Never throws, because an app must
 * be stopped whatever happens to its log.
 */
export async function finishLog(
  platform: Platform,
  runtime: Runtime,
  { id, handle }: { id: string; handle: string | null },
): Promise<void> {
  if (handle === null) return;
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const lease = { claim: v7(), seconds: LEASE_SECONDS, workerId: null };
    const log = await claimLog(platform.db, id, lease);
    if (log === undefined) {
      if (!(await runtime.inspect(handle)).running) await waitUntilClosed(platform, id, signal);
      return;
    }
    await followLog(platform, runtime, { log: { ...log, handle }, follow: false, signal });
    if ((await runtime.inspect(handle)).running || !(await closeLog(platform.db, log)))
      await giveBackLeases(platform.db, "instanceLogs", [log]);
  } catch (error) {
    platform.log.warn({ err: error, instance: id }, "the end of an app's log could not be stored");
  }
}

async function waitUntilClosed(platform: Platform, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await isLogClosed(platform.db, id))) await sleep(POLL_MS);
}

/**
 * Deletes the lines that were written before `cutoff`, and the oldest ones of versions whose log is larger than a version may
 * have. Returns how many. Workers that do it at the same time skip each other's versions.
 */
export async function removeOldLines(
  { db, environment }: Platform,
  cutoff: Date,
  { batchSize, pauseMs, signal }: Omit<RetentionOptions, "now">,
): Promise<number> {
  const mostBytes = Math.floor(environment.PLATFORM_KEEP_LOGS_MB * 1024 * 1024);
  let removed = 0;
  for (const versionId of await selectOverfullLogs(db, cutoff, mostBytes)) {
    let deleted = batchSize;
    while (deleted === batchSize && signal?.aborted !== true) {
      deleted = await db.transaction((tx) => deleteOldLines(tx, versionId, cutoff, mostBytes, batchSize));
      removed += deleted;
      await sleep(pauseMs);
    }
  }
  return removed;
}

export const LOG_RETENTION: RetentionJob = {
  name: "logLines",
  run: (platform, { now, ...options }) =>
    removeOldLines(platform, keptSince(platform, "PLATFORM_KEEP_LOGS_DAYS", now), options),
};
