import { v7 } from "uuid";
import { explainWait } from "@/lib/domain/delivery-wait";
import { openCall, type OpenCall } from "../calls/call-steps";
import type { Lease, Leased } from "../leases/queries";
import type { Platform } from "../platform/platform";
import { claimDeliveries, takeProbes, type ClaimedRow, type DueDelivery } from "./claim-queries";

/** A delivery that this worker sends. Its lease is its attempt's: `claim` is the attempt's id. */
export interface ClaimedDelivery extends ClaimedRow, Leased {
  call: OpenCall;
}

const DEADLINE_MS = 30_000;

/** Claims due deliveries for new attempts. */
export async function claimDue(
  platform: Platform,
  due: readonly DueDelivery[],
  lease: Pick<Lease, "seconds" | "workerId">,
): Promise<ClaimedDelivery[]> {
  const probes = due.filter(({ probe }) => probe).map(({ installationId }) => installationId);
  const probed = probes.length === 0 ? [] : await takeProbes(platform.db, probes);
  const wanted = due.map(({ id }) => ({ id, attemptId: v7() }));
  const rows = await claimDeliveries(platform.pool, { wanted, probed, lease });
  return rows.map((row) => open(platform, row));
}

/** Adds to the row instead of copying it, because this runs for every delivery. */
function open(platform: Platform, row: ClaimedRow): ClaimedDelivery {
  const call = openCall(platform, {
    installationId: row.installationId,
    routeId: row.routeId,
    revision: row.revision,
    epoch: row.epoch,
    kind: "webhook",
    deliveryId: row.id,
    test: row.test,
    wait: explainWait(row),
    eventType: row.eventType,
    queueMs: row.queueMs,
    attemptId: row.attemptId,
    recorded: row.recorded,
    replicas: row.replicas,
    method: "POST",
    path: row.path,
    body: row.body,
    deadlineMs: DEADLINE_MS,
  });
  return Object.assign(row, { claim: row.attemptId, call });
}
