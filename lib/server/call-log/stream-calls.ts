import type { CallChanges } from "@/lib/contract/call-log";
import type { CallFilter } from "@/lib/contract/call-filter";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import type { Following, LiveEvent } from "../live/follow-changes";
import { openStream } from "../live/open-stream";
import type { Platform } from "../platform/platform";
import { findScope } from "./find-scope";
import { listsDeliveries, viewAttempt } from "./list-calls";
import { selectCalls } from "./queries";
import { CALL_CHANGES } from "./tail-queries";

export type CallEvent = LiveEvent<CallChanges>;

export interface CallStream extends Following {
  filter: CallFilter;
}

/**
 * The changes of the attempts that a filter shows.
 * @throws BAD_INPUT if the filter lists deliveries; NOT_FOUND as for lists; and as `openStream`
 */
export async function streamCalls(
  platform: Platform,
  agent: Agent,
  { filter: input, ...following }: CallStream,
): Promise<AsyncGenerator<CallEvent>> {
  const filter = { ...input, q: searchText(input.q) };
  if (listsDeliveries(filter))
    throw new Problem("BAD_INPUT", "Lists of deliveries have no live updates. Choose another state.");
  await findScope(platform.db, agent, filter);
  const list = {
    source: CALL_CHANGES,
    key: agent.organization.id,
    describe: (ids: string[], more: boolean) => describe(platform, agent, filter, ids, more),
    mayRead: () => true,
  };
  return openStream(platform, agent, list, following);
}

async function describe(
  { db }: Platform,
  agent: Agent,
  filter: CallFilter,
  ids: string[],
  more: boolean,
): Promise<CallChanges | undefined> {
  // Installations may have been added since.
  const scope = await findScope(db, agent, filter);
  const calls = (await selectCalls(db, scope, filter, { ids, limit: ids.length })).map(viewAttempt);
  const matching = new Set(calls.map((call) => call.id));
  // Only a call in progress stops matching.
  const gone = filter.state === "open" ? ids.filter((each) => !matching.has(each)) : [];
  return calls.length === 0 && gone.length === 0 && !more ? undefined : { calls, gone, more };
}
