import type { CallFilter } from "@/lib/contract/calls/call-filter";
import { REPLAY_LIMIT, type ReplayRequest, type ReplayResult } from "@/lib/contract/calls/gateway-answers";
import { mayOperate } from "@/lib/domain/calls/installation";
import type { Agent } from "@/lib/domain/platform/actor";
import { replayDeliveries } from "../../calls/deliveries/replay-deliveries";
import { searchText } from "../../platform/database/expressions";
import type { Platform } from "../../platform/platform";
import { selectDeliveryIds } from "./delivery-queries";
import { findScope } from "./list-calls";

/**
 * Sends deliveries again: by id, or the dead ones that a filter shows, newest first. Without a source in the filter, those that
 * the member may operate.
 * @param only the app's listing, and its name `<org-name>/<app-name>`: deliveries to other apps are skipped
 * @throws NOT_FOUND if the filter names an installation of another organization; and as `replayDeliveries`
 */
export async function replayCalls(
  platform: Platform,
  agent: Agent,
  request: ReplayRequest,
  only?: { listingId: string; name: string },
): Promise<ReplayResult> {
  if ("deliveryIds" in request)
    return { ...(await replayDeliveries(platform, agent, request, only?.listingId)), more: false };
  const testOnly = !mayOperate(agent.organization.role, false);
  const filter: CallFilter = {
    ...request.filter,
    q: searchText(request.filter.q),
    app: only?.name ?? request.filter.app,
    state: "dead",
    source: request.filter.source ?? (testOnly ? "launches" : undefined),
  };
  const scope = await findScope(platform.db, agent, filter);
  const found = await selectDeliveryIds(platform.db, scope, filter, { limit: REPLAY_LIMIT + 1 });
  if (found.length === 0) return { replayed: 0, skipped: 0, more: false };
  const deliveryIds = found.slice(0, REPLAY_LIMIT);
  const result = await replayDeliveries(platform, agent, { deliveryIds }, only?.listingId);
  return { ...result, more: found.length > REPLAY_LIMIT };
}
