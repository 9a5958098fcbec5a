import { isAppFault } from "@/lib/contract/runtime/instance-reasons";
import { LEASE_SECONDS, type Pool } from "../../platform/lease-loop";
import type { Platform } from "../../platform/platform";
import type { Runtimes } from "../../runtime/engines/choose-runtime";
import type { Runtime } from "../../runtime/engines/runtime";
import { type ReadText, readWithoutSecrets } from "../../runtime/logs/read-log-tail";
import { type ClaimedExcerpt, claimExcerpts, insertFailures, storeExcerpt } from "./excerpt-queries";

/** How many logs a worker reads at once. */
const LIMIT = 2;

const STORED_BYTES = 32 * 1024;
const STORED_LINES = 200;

/** Logs of calls that somebody asked for. */
export function excerptPool(platform: Platform, runtimes: Runtimes): Pool<ClaimedExcerpt> {
  return {
    name: "logExcerpts",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => claimExcerpts(platform.db, free, lease),
    handle: (excerpt) => readExcerpt(platform, runtimes, excerpt),
  };
}

/** Asks for the logs of calls that failed a moment ago, because their instance may be gone when somebody looks. */
export async function fileFailures(platform: Platform): Promise<void> {
  await insertFailures(platform.db);
}

/** Reads the log of a call's moment, and stores it without secrets. */
async function readExcerpt(
  platform: Platform,
  runtimes: Runtimes,
  { id: attemptId, instance, fromAgeMs, untilAgeMs }: ClaimedExcerpt,
): Promise<void> {
  const now = Date.now();
  const period = { from: new Date(now - fromAgeMs), until: new Date(now - untilAgeMs) };
  const read =
    instance === null
      ? null
      : await readPeriod(platform, runtimes.byName(instance.runtime), instance, period);
  await storeExcerpt(platform.db, attemptId, read);
}

interface Period {
  from: Date;
  until: Date;
}

/** Null if the log does not exist anymore. */
async function readPeriod(
  platform: Platform,
  runtime: Runtime | undefined,
  { handle, versionId }: NonNullable<ClaimedExcerpt["instance"]>,
  { from, until }: Period,
): Promise<ReadText | null> {
  if (runtime === undefined || handle === null) return null;
  const inspection = await runtime.inspect(handle);
  if (!inspection.running && !isAppFault(inspection.code)) return null;
  const { text, cut } = await readWithoutSecrets(
    platform,
    versionId,
    (bytes, since) =>
      runtime.logTail(handle, bytes, since !== undefined && since > from ? since : from, until),
    STORED_BYTES,
  );
  const lines = text.split("\n");
  // A log ends with a line break, which starts no line.
  const most = STORED_LINES + (text.endsWith("\n") ? 1 : 0);
  return { text: lines.slice(-most).join("\n"), cut: cut || lines.length > most };
}
