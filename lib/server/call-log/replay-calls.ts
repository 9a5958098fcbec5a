import { Problem } from "@/lib/contract/problem";
import { REPLAY_LIMIT, type ReplayRequest, type ReplayResult } from "@/lib/contract/replay";
import type { CallFilter } from "@/lib/contract/call-log";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import { replayDeliveries } from "../deliveries/replay-deliveries";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { selectDeliveryIds } from "./delivery-queries";
import { findScope } from "./find-scope";

/**
 * Sends deliveries again: by id, or the dead ones that a filter shows, newest first. Publishers may do so for Test Launches.
 * @throws NOT_ALLOWED if the filter or the selection is about production and the member may not operate that; NOT_FOUND if
 * the filter names an installation of another organization; and as `replayDeliveries`
 */
export async function replayCalls(
  platform: Platform,
  member: Member,
  request: ReplayRequest,
): Promise<ReplayResult> {
  const testOnly = !mayOperate(member.organization.role, false);
  if ("deliveryIds" in request) {
    if (testOnly) await requireTestLaunches(platform, member, request.deliveryIds);
    return replayDeliveries(platform, member, request);
  }
  const { source } = request.filter;
  if (testOnly && source !== undefined && source !== "launches") throw notAllowed();
  const filter: CallFilter = {
    ...request.filter,
    q: searchText(request.filter.q),
    state: "dead",
    ...(testOnly ? { source: "launches" } : {}),
  };
  const scope = await findScope(platform.db, member, filter);
  const found = await selectDeliveryIds(platform.db, scope, filter, { limit: REPLAY_LIMIT + 1 });
  if (found.length === 0) return { replayed: 0, skipped: 0, more: false };
  const deliveryIds = found.slice(0, REPLAY_LIMIT);
  const result = await replayDeliveries(platform, member, { deliveryIds });
  return { ...result, more: found.length > REPLAY_LIMIT };
}

async function requireTestLaunches(
  platform: Platform,
  member: Member,
  deliveryIds: readonly string[],
): Promise<void> {
  const scope = await findScope(platform.db, member, { source: "production" });
  const limit = deliveryIds.length;
  const production = await selectDeliveryIds(platform.db, scope, {}, { ids: deliveryIds, limit });
  if (production.length > 0) throw notAllowed();
}

function notAllowed(): Problem {
  return new Problem(
    "NOT_ALLOWED",
    "Publishers can only replay deliveries to Test Launches. Ask an operator or an owner of your organization.",
  );
}
