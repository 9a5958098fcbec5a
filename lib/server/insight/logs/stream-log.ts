import type { LogChanges, LogEntry } from "@/lib/contract/insight/app-log";
import type { LogFilter } from "@/lib/contract/insight/filters";
import { mayReadLogs } from "@/lib/domain/catalog/listing";
import { writeLogEntry } from "@/lib/domain/insight/log-text";
import type { Agent, Member } from "@/lib/domain/platform/actor";
import { type Following, type LiveEvent, openStream } from "../../accounts/live-list";
import { readWithin } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { LOG_CHANGES, type LogScope, selectEvents, selectLinesById, splitChanges } from "./entry-queries";
import { findLog, type LogSubject, READ_MS, readEntries, viewEvent, viewLine } from "./read-log";

/**
 * What is added to the log of a version, as far as a filter shows it.
 * @throws NOT_FOUND as `findLog`; and as `openStream`
 */
export async function streamEntries(
  platform: Platform,
  agent: Agent,
  subject: LogSubject,
  filter: LogFilter,
  following: Following,
): Promise<AsyncGenerator<LiveEvent<LogChanges>>> {
  const { scope } = await findLog(platform, agent, subject, filter);
  const list = {
    source: LOG_CHANGES,
    key: subject.versionId,
    describe: (ids: string[], more: boolean) => describe(platform, scope, ids, more),
    mayRead: (reader: Agent) => mayReadLogs(reader, agent.organization.id),
  };
  return openStream(platform, agent, list, following);
}

async function describe(
  { db }: Platform,
  scope: LogScope,
  ids: string[],
  more: boolean,
): Promise<LogChanges | undefined> {
  const { lines, events } = splitChanges(ids);
  const entries = [
    ...(await selectLinesById(db, scope, lines)).map(viewLine),
    ...(await selectEvents(db, scope, { ids: events, direction: "newer", limit: events.length })).map(
      viewEvent,
    ),
  ].sort((one, other) => (one.id < other.id ? -1 : 1));
  return entries.length === 0 && !more ? undefined : { entries, more };
}

const BATCH = 1_000;

/** A version's log is 16 MB by default. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that is written while it is read. */
interface LogFile {
  name: string;
  parts: AsyncGenerator<string>;
}

/**
 * The log of a version as text, oldest first: what a filter shows of what is stored now.
 * @throws NOT_FOUND as `findLog`
 */
export async function writeLogFile(
  platform: Platform,
  member: Member,
  subject: LogSubject,
  filter: LogFilter,
): Promise<LogFile> {
  const now = new Date();
  const { scope, appName, number } = await findLog(platform, member, subject, filter);
  const { from, to = now } = scope.range;
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const parts = writeParts(platform, { ...scope, range: { from, to: to < now ? to : now } });
  return { name: `${appName}-${number}-${stamp}Z.log`, parts };
}

type Scope = Parameters<typeof readEntries>[1];

async function* writeParts({ db }: Platform, scope: Scope): AsyncGenerator<string> {
  let beyond: string | undefined;
  let left = MOST_BYTES;
  do {
    const options = { beyond, direction: "newer", limit: BATCH } as const;
    const { entries, next } = await readWithin(db, READ_MS, (tx) => readEntries(tx, scope, options));
    const text = entries.map((entry: LogEntry) => `${writeLogEntry(entry)}\n`).join("");
    left -= Buffer.byteLength(text);
    yield text;
    beyond = next;
  } while (beyond !== undefined && left > 0);
  if (beyond !== undefined)
    yield "The file ends here because it is larger than 64 MB. Choose a time range to download the rest.\n";
}
