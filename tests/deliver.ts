/** One step of the worker's delivery pool, without its loop. */
import { v7 } from "uuid";
import { claimDue } from "@/lib/server/calls/deliveries/claim-deliveries";
import { selectDue } from "@/lib/server/calls/deliveries/claim-queries";
import { deliveryPool, type LookAtInstance } from "@/lib/server/calls/deliveries/delivery-pool";
import { LEASE_SECONDS, type Pool } from "@/lib/server/platform/lease-loop";
import type { Lease, Leased } from "@/lib/server/platform/lease-queries";
import type { Platform } from "@/lib/server/platform/platform";

/** As a worker has it that is not registered. */
export function newLease(): Lease {
  return { claim: v7(), seconds: LEASE_SECONDS, workerId: null };
}

/** Claims up to `limit` items, and waits until all of them are handled. Returns how many there were. */
export async function workOnce<Item extends Leased>(pool: Pool<Item>, limit = pool.limit): Promise<number> {
  const claimed = await pool.claim(limit, newLease());
  await Promise.all(claimed.map((item) => pool.handle(item)));
  return claimed.length;
}

export function sendDueDeliveries(platform: Platform, lookAtInstance?: LookAtInstance): Promise<number> {
  return workOnce(deliveryPool(platform, lookAtInstance));
}

/** As another worker would, which then dies or is late. */
export async function claimDueDeliveries(platform: Platform, limit: number) {
  const after = { installationId: "00000000-0000-0000-0000-000000000000", eventType: "", retried: false };
  const { due } = await selectDue(platform.pool, { after, visits: 100, each: limit });
  return claimDue(platform, due.slice(0, limit), newLease());
}
