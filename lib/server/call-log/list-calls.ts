import type { CallPage, CallRow } from "@/lib/contract/call-log";
import { type CallFilter, MOST_COUNTED } from "@/lib/contract/call-filter";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { createdAt } from "@/lib/domain/call-range";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectDeliveries, selectDeliveryIds, selectPendingDeliveries } from "./delivery-queries";
import { findScope } from "./find-scope";
import { writeCursor } from "../live/cursor";
import { selectCursor } from "../live/queries";
import { type CallScope, selectCalls, selectSearchEnd } from "./queries";

const PAGE_SIZE = 50;

/**
 * A page of the calls of the member's organization that a filter shows, newest first.
 * @param before the `next` of the previous page
 * @throws NOT_FOUND if the filter names an installation of another organization
 */
export async function listCalls(
  platform: Platform,
  agent: Agent,
  input: CallFilter,
  before?: string,
): Promise<CallPage> {
  if (before !== undefined && !isId(before))
    throw new Problem("BAD_INPUT", "The cursor is not valid. Load the list again.");
  const filter = { ...input, q: searchText(input.q) };
  const scope = await findScope(platform.db, agent, filter);
  const page = listsDeliveries(filter)
    ? await pageOfDeliveries(platform, scope, filter, before)
    : await pageOfAttempts(platform, scope, filter, before);
  const { installationId } = scope;
  if (installationId === undefined || before !== undefined) return page;
  return { ...page, pending: await countPending(platform, installationId) };
}

async function countPending({ db }: Platform, installationId: string): Promise<CallPage["pending"]> {
  const { waitingSince, nextRetryAt, ...counts } = await selectPendingDeliveries(db, installationId);
  return {
    ...counts,
    waitingSince: waitingSince?.toISOString() ?? null,
    nextRetryAt: nextRetryAt?.toISOString() ?? null,
  };
}

/** Whether the filter lists deliveries instead of attempts. */
export function listsDeliveries({ state }: CallFilter): boolean {
  return state === "waiting" || state === "dead";
}

async function pageOfAttempts(
  { db, pool }: Platform,
  scope: CallScope,
  filter: CallFilter,
  before?: string,
): Promise<CallPage> {
  // Read before the list, so that a call that is recorded in between is in both, instead of in neither.
  const position = before === undefined ? writeCursor(await selectCursor(pool)) : undefined;
  const found = await selectCalls(db, scope, filter, { before, limit: PAGE_SIZE + 1 });
  const calls = found.slice(0, PAGE_SIZE).map(viewAttempt);
  if (found.length > PAGE_SIZE) return { calls, next: calls.at(-1)?.id, position };
  const end = await selectSearchEnd(db, scope, filter, before);
  if (end === undefined) return { calls, position };
  return { calls, next: end, searchedTo: createdAt(end).toISOString(), position };
}

async function pageOfDeliveries(
  { db }: Platform,
  scope: CallScope,
  filter: CallFilter,
  before?: string,
): Promise<CallPage> {
  const [found, all] = await Promise.all([
    selectDeliveries(db, scope, filter, { before, limit: PAGE_SIZE + 1 }),
    before === undefined ? selectDeliveryIds(db, scope, filter, { limit: MOST_COUNTED }) : undefined,
  ]);
  const calls = found.slice(0, PAGE_SIZE).map(viewDelivery);
  return { calls, next: found.length > PAGE_SIZE ? calls.at(-1)?.id : undefined, total: all?.length };
}

export function viewAttempt(row: Awaited<ReturnType<typeof selectCalls>>[number]): CallRow {
  const { startedAt, dueAt, delivery, ...rest } = row;
  return {
    ...rest,
    attemptId: row.id,
    at: startedAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    delivery: delivery && { ...delivery, nextAttemptAt: delivery.nextAttemptAt.toISOString() },
  };
}

function viewDelivery(row: Awaited<ReturnType<typeof selectDeliveries>>[number]): CallRow {
  const { path, createdAt: accepted, state, attemptCount, nextAttemptAt, ...rest } = row;
  return {
    ...rest,
    kind: "webhook",
    target: `POST ${path}`,
    at: accepted.toISOString(),
    dueAt: null,
    heldBy: null,
    delivery: { id: row.id, state, attemptCount, nextAttemptAt: nextAttemptAt.toISOString() },
  };
}
