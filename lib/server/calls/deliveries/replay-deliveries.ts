import type { ReplayResult, ReplaySelection } from "@/lib/contract/calls/gateway-answers";
import type { DeliveryState } from "@/lib/contract/catalog/installation-states";
import { Problem } from "@/lib/contract/platform/problem";
import { mayOperate } from "@/lib/domain/calls/installation";
import { type Agent, nameActor } from "@/lib/domain/platform/actor";
import type { Db } from "../../platform/database/connect";
import { notifyWorker } from "../../platform/database/work-channel";
import type { Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { lockDeliveries, makePending } from "./queries";

/** The most ids that an audit row lists; the count is always there. */
const NAMED_IN_AUDIT = 20;

/**
 * Sends dead deliveries of the member's organization again. They keep their event id and get all their tries again.
 * @returns how many were replayed, and how many were skipped
 * @throws NOT_ALLOWED if one of them is in production and the member may not operate that; BAD_INPUT for several deliveries
 * that may have been delivered already
 * @param listingId only deliveries to installations of this app
 */
export async function replayDeliveries(
  platform: Platform,
  agent: Agent,
  { deliveryIds, delivered = false }: ReplaySelection,
  listingId?: string,
): Promise<Omit<ReplayResult, "more">> {
  if (delivered && deliveryIds.length > 1)
    throw new Problem(
      "BAD_INPUT",
      "Several deliveries were selected. An event that the app already accepted can only be sent again on its own.",
    );
  const states: DeliveryState[] = delivered ? ["DEAD", "DELIVERED"] : ["DEAD"];
  const { role, id: organizationId } = agent.organization;
  return platform.db.transaction(async (tx) => {
    const found = await lockDeliveries(tx, organizationId, deliveryIds, listingId);
    if (found.some(({ test }) => !mayOperate(role, test)))
      throw new Problem(
        "NOT_ALLOWED",
        "Publishers can only replay deliveries to Test Launches. Ask an operator or an owner of your organization.",
      );
    const ids = found.filter(({ sendable, state }) => sendable && states.includes(state)).map(({ id }) => id);
    const replayed = await makePending(tx, ids);
    if (replayed.length > 0) {
      await notifyWorker(tx);
      await recordReplay(platform, tx, agent, replayed);
    }
    return { replayed: replayed.length, skipped: new Set(deliveryIds).size - replayed.length };
  });
}

async function recordReplay(
  platform: Platform,
  tx: Db,
  agent: Agent,
  replayed: readonly { id: string; installationId: string }[],
): Promise<void> {
  const [only, ...others] = new Set(replayed.map(({ installationId }) => installationId));
  await recordAudit(tx, platform.keyring, {
    chain: agent.organization.id,
    actor: nameActor(agent),
    action: "delivery.replay",
    subject: others.length === 0 ? `installation:${only}` : `organization:${agent.organization.id}`,
    details: { count: replayed.length, deliveryIds: replayed.slice(0, NAMED_IN_AUDIT).map(({ id }) => id) },
  });
}
