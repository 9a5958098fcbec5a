import { v7 } from "uuid";
import { explainWait } from "@/lib/domain/delivery-wait";
import { openCall, type OpenCall } from "../calls/call-steps";
import type { Leased } from "../leases/queries";
import type { Platform } from "../platform/platform";
import { claimDeliveries, takeProbes, type ClaimedRow, type DueDelivery } from "./claim-queries";

/** A delivery that this worker sends. Its lease is its attempt's: `claim` is the attempt's id. */
export interface ClaimedDelivery extends Omit<ClaimedRow, "attemptId" | "body">, Leased {
  call: OpenCall;
}

const DEADLINE_MS = 30_000;

/** Claims due deliveries for new attempts. */
export async function claimDue(
  platform: Platform,
  due: readonly DueDelivery[],
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const probes = due.filter(({ probe }) => probe).map(({ installationId }) => installationId);
  const probed = probes.length === 0 ? [] : await takeProbes(platform.db, probes);
  const wanted = due.map(({ id }) => ({ id, attemptId: v7() }));
  const rows = await claimDeliveries(platform.pool, { wanted, probed, leaseSeconds });
  return rows.map((row) => open(platform, row));
}

function open(platform: Platform, { body, attemptId, ...row }: ClaimedRow): ClaimedDelivery {
  const { id, installationId, routeId, revision, epoch, test, recorded, eventType, queueMs, origin, path } =
    row;
  const call = openCall(platform, {
    ...{ installationId, routeId, revision, epoch, test, recorded, eventType, queueMs, origin, path, body },
    kind: "webhook",
    attemptId,
    deliveryId: id,
    wait: explainWait(row),
    method: "POST",
    deadlineMs: DEADLINE_MS,
  });
  return { ...row, claim: attemptId, call };
}
