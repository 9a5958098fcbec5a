import type { LogFilter } from "@/lib/contract/log-filter";
import type { LogChanges } from "@/lib/contract/log-view";
import type { Agent } from "@/lib/domain/actor";
import { mayReadLogs } from "@/lib/domain/listing";
import type { Following, LiveEvent } from "../../live/follow-changes";
import { openStream } from "../../live/open-stream";
import type { Platform } from "../../platform/platform";
import { findLog, type LogSubject } from "./list-entries";
import { type LogScope, selectEvents, selectLinesById } from "./queries";
import { viewEvent, viewLine } from "./read-entries";
import { LOG_CHANGES, splitChanges } from "./tail-queries";

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
