import { Problem } from "@/lib/contract/problem";
import { REPLAY_LIMIT, type ReplayInput, type ReplayResult } from "@/lib/contract/replay";
import type { DeliveryState } from "@/lib/contract/installation";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import type { Platform } from "../platform/platform";
import { lockMatching, makePending, type ReplayFilter } from "./replay-queries";

/** So many ids are named in the audit trail; the count is always there. */
const NAMED_IN_AUDIT = 20;

/**
 * Sends dead deliveries of the member's organization again: one, a selection, or all that match a filter. They keep their
 * event id and get all their tries again. Throws BAD_INPUT for several deliveries that are to be sent again although they
 * may have been delivered.
 */
export async function replayDeliveries(
  platform: Platform,
  member: Member,
  input: ReplayInput,
): Promise<ReplayResult> {
  const filter = toFilter(input);
  const { id: organizationId } = member.organization;
  return platform.db.transaction(async (tx) => {
    const found = await lockMatching(tx, organizationId, filter, REPLAY_LIMIT + 1);
    const matching = found.slice(0, REPLAY_LIMIT);
    const ids = matching.filter(({ sendable }) => sendable).map(({ id }) => id);
    const replayed = await makePending(tx, organizationId, ids, filter.states);
    if (replayed.length > 0) {
      await notifyWorker(tx);
      await recordReplay(platform, tx, member, replayed);
    }
    const asked = filter.ids === undefined ? matching.length : new Set(filter.ids).size;
    return {
      replayed: replayed.length,
      skipped: asked - replayed.length,
      more: found.slice(REPLAY_LIMIT).some(({ sendable }) => sendable),
    };
  });
}

function toFilter(input: ReplayInput): ReplayFilter {
  if (!("deliveryIds" in input)) {
    const { installationId, from, until, eventType } = input;
    return { installationId, from: toDate(from), until: toDate(until), eventType, states: DEAD };
  }
  const { deliveryIds: ids, delivered = false } = input;
  if (delivered && ids.length > 1)
    throw new Problem(
      "BAD_INPUT",
      "Several deliveries were selected. An event that the app already accepted can only be sent again by itself.",
    );
  return { ids, states: delivered ? ["DEAD", "DELIVERED"] : DEAD };
}

const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));

const DEAD: readonly DeliveryState[] = ["DEAD"];

async function recordReplay(
  platform: Platform,
  tx: Db,
  { userId, organization }: Member,
  replayed: readonly { id: string; installationId: string }[],
): Promise<void> {
  const [only, ...others] = new Set(replayed.map(({ installationId }) => installationId));
  await recordAudit(tx, platform.keyring, {
    chain: organization.id,
    actor: `user:${userId}`,
    action: "delivery.replay",
    subject: others.length === 0 ? `installation:${only}` : `organization:${organization.id}`,
    details: { count: replayed.length, deliveryIds: replayed.slice(0, NAMED_IN_AUDIT).map(({ id }) => id) },
  });
}
