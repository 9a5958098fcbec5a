import { v7 } from "uuid";
import { explainWait } from "@/lib/domain/delivery-wait";
import { openCall, type OpenCall } from "../calls/call-steps";
import type { Leased } from "../leases/queries";
import type { Platform } from "../platform/platform";
import { claimDeliveries, takeProbes, type ClaimedRow, type DueDelivery } from "./claim-queries";

/** A delivery that this worker sends, with its attempt, which is stored already. */
export interface ClaimedDelivery extends Omit<ClaimedRow, "attemptId" | "body">, Leased {
  call: OpenCall;
}

const DEADLINE_MS = 30_000;

/** Claims due deliveries and stores their attempts before anything is sent. */
export async function claimDue(
  platform: Platform,
  due: readonly DueDelivery[],
  claim: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const probes = due.filter(({ probe }) => probe).map(({ installationId }) => installationId);
  const probed = probes.length === 0 ? [] : await takeProbes(platform.db, probes);
  const wanted = due.map(({ id }) => ({ id, attemptId: v7() }));
  const rows = await claimDeliveries(platform.pool, { wanted, probed, claim, leaseSeconds });
  return rows.map((row) => open(platform, row, claim));
}

function open(platform: Platform, { body, attemptId, ...row }: ClaimedRow, claim: string): ClaimedDelivery {
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
  return { ...row, claim, call };
}
