import { explainWait } from "@/lib/domain/delivery-wait";
import { describeStart, openCall, type OpenCall } from "../calls/call-steps";
import { insertAttempts } from "../calls/record-queries";
import type { Leased } from "../leases/queries";
import type { Platform } from "../platform/platform";
import { claimDeliveries, takeProbes, type ClaimedRow, type DueDelivery } from "./claim-queries";

/** A delivery that this worker sends, with its attempt, which is stored already. */
export interface ClaimedDelivery extends Omit<ClaimedRow, "body">, Leased {
  call: OpenCall;
}

const DEADLINE_MS = 30_000;

/** Claims due deliveries and stores their attempts in one transaction, before anything is sent. */
export async function claimDue(
  platform: Platform,
  due: readonly DueDelivery[],
  claim: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery[]> {
  const probes = due.filter(({ probe }) => probe).map(({ installationId }) => installationId);
  const ids = due.map(({ id }) => id);
  return platform.db.transaction(async (tx) => {
    const taken = probes.length === 0 ? [] : await takeProbes(tx, probes);
    const rows = await claimDeliveries(tx, ids, taken, claim, leaseSeconds);
    const claimed = rows.map((row) => open(platform, row, claim));
    await insertAttempts(tx, await Promise.all(claimed.map(({ call }) => describeStart(platform, call))));
    return claimed;
  });
}

function open(platform: Platform, { body, ...row }: ClaimedRow, claim: string): ClaimedDelivery {
  const { id, installationId, routeId, revision, epoch, test, recorded, eventType, queueMs, origin, path } =
    row;
  const call = openCall(platform, {
    ...{ installationId, routeId, revision, epoch, test, recorded, eventType, queueMs, origin, path, body },
    kind: "webhook",
    deliveryId: id,
    wait: explainWait(row),
    method: "POST",
    deadlineMs: DEADLINE_MS,
  });
  return { ...row, claim, call };
}
