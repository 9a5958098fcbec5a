import { type CallFilter, MOST_COUNTED } from "@/lib/contract/calls/call-filter";
import type { CallChanges, CallPage, CallRow, CallScopes } from "@/lib/contract/insight/call";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { FoundOptions } from "@/lib/contract/platform/options";
import { createdAt, toRange } from "@/lib/domain/calls/call-range";
import { toInstallationOption } from "@/lib/domain/insight/call-text";
import type { Agent } from "@/lib/domain/platform/actor";
import { type Following, type LiveEvent, openStream } from "../../accounts/live-list";
import type { Db } from "../../platform/database/connect";
import { searchText } from "../../platform/database/expressions";
import { selectCursor, writeCursor } from "../../platform/live-queries";
import type { Platform } from "../../platform/platform";
import { selectDeliveries, selectDeliveryIds, selectPendingDeliveries } from "./delivery-queries";
import { CALL_CHANGES, type CallScope, selectCalls, selectSearchEnd } from "./list-queries";
import {
  selectInstallationIds,
  selectRouteIds,
  selectRoutePaths,
  selectScopeApps,
  selectScopes,
} from "./scope-queries";

const PAGE_SIZE = 50;

/** What a page sends with itself. The browser reads the next ones as they are scrolled to. */
export const FIRST_PAGE_SIZE = 20;

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
  size = PAGE_SIZE,
): Promise<CallPage> {
  if (before !== undefined && !isId(before))
    throw new Problem("BAD_INPUT", "The cursor is not valid. Load the list again.");
  const filter = { ...input, q: searchText(input.q) };
  const scope = await findScope(platform.db, agent, filter);
  const page = listsDeliveries(filter)
    ? await pageOfDeliveries(platform, scope, filter, before, size)
    : await pageOfAttempts(platform, scope, filter, before, size);
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
function listsDeliveries({ state }: CallFilter): boolean {
  return state === "waiting" || state === "dead";
}

async function pageOfAttempts(
  { db, pool }: Platform,
  scope: CallScope,
  filter: CallFilter,
  before: string | undefined,
  size: number,
): Promise<CallPage> {
  // Read before the list, so that a call that is recorded in between is in both, instead of in neither.
  const position = before === undefined ? writeCursor(await selectCursor(pool)) : undefined;
  const found = await selectCalls(db, scope, filter, { before, limit: size + 1 });
  const calls = found.slice(0, size).map(viewAttempt);
  if (found.length > size) return { calls, next: calls.at(-1)?.id, position };
  const end = await selectSearchEnd(db, scope, filter, before);
  if (end === undefined) return { calls, position };
  return { calls, next: end, searchedTo: createdAt(end).toISOString(), position };
}

async function pageOfDeliveries(
  { db }: Platform,
  scope: CallScope,
  filter: CallFilter,
  before: string | undefined,
  size: number,
): Promise<CallPage> {
  const [found, all] = await Promise.all([
    selectDeliveries(db, scope, filter, { before, limit: size + 1 }),
    before === undefined ? selectDeliveryIds(db, scope, filter, { limit: MOST_COUNTED }) : undefined,
  ]);
  const calls = found.slice(0, size).map(viewDelivery);
  return { calls, next: found.length > size ? calls.at(-1)?.id : undefined, total: all?.length };
}

function viewAttempt(row: Awaited<ReturnType<typeof selectCalls>>[number]): CallRow {
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

export type CallEvent = LiveEvent<CallChanges>;

interface CallStream extends Following {
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

/**
 * The calls that a member's filter is about. An installation of another organization is not found; an app or a path that doesn't
 * exist in the organization matches no calls.
 */
export async function findScope(db: Db, { organization }: Agent, filter: CallFilter): Promise<CallScope> {
  const { installation: installationId, app, source, path } = filter;
  const { id: organizationId } = organization;
  if (installationId !== undefined) {
    const own = await selectInstallationIds(db, organizationId, { installationId });
    if (own.length === 0) throw new Problem("NOT_FOUND");
  }
  const scope: CallScope = { organizationId, installationId, range: toRange(filter, new Date()) };
  const isByInstallation = source === "launches" || source === "production";
  if (app !== undefined || isByInstallation) {
    const besides = source === "production" && app === undefined;
    const test = isByInstallation ? besides || source === "launches" : undefined;
    scope.among = await selectInstallationIds(db, organizationId, { app, test });
    scope.besides = besides;
  }
  if (path !== undefined) scope.routeIds = await selectRouteIds(db, organizationId, installationId, path);
  return scope;
}

/** A menu shows as many, and a page sends as many. */
const OFFERED = 50;

/**
 * What a list can be filtered by: all of the organization, or the routes of one installation. Of many installations, only the one that
 * the filter names; `findInstallations` finds the others.
 */
export async function listScopes(
  { db }: Platform,
  { organization }: Agent,
  { installation }: CallFilter,
  installationId?: string,
): Promise<CallScopes> {
  const routes = await selectRoutePaths(db, organization.id, installationId);
  if (installationId !== undefined) return { apps: [], installations: [], more: false, routes };
  const [apps, found, named] = await Promise.all([
    selectScopeApps(db, organization.id),
    selectScopes(db, organization.id, { limit: OFFERED + 1 }),
    installation === undefined
      ? []
      : selectScopes(db, organization.id, { installationId: installation, limit: 1 }),
  ]);
  const more = found.length > OFFERED;
  return { apps, installations: more ? named : found, more, routes };
}

/** The installations whose app or tenant has this in its name. */
export async function findInstallations(
  { db }: Platform,
  { organization }: Agent,
  typed: string | undefined,
  app: string | undefined,
): Promise<FoundOptions> {
  const found = await selectScopes(db, organization.id, {
    app,
    search: searchText(typed),
    limit: OFFERED + 1,
  });
  return { options: found.slice(0, OFFERED).map(toInstallationOption), more: found.length > OFFERED };
}
