import type { LogFilter } from "@/lib/contract/log-filter";
import type { LogEntry } from "@/lib/contract/log-view";
import type { Member } from "@/lib/domain/actor";
import { writeLogEntry } from "@/lib/domain/log-text";
import { readWithin } from "../../database/read-within";
import type { Platform } from "../../platform/platform";
import { findLog, type LogSubject, READ_MS } from "./list-entries";
import { readEntries } from "./read-entries";

const BATCH = 1_000;

/** A version's log is 16 MB by default. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that is written while it is read. */
export interface LogFile {
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
