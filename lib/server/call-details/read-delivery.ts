import type { DeliveryView } from "@/lib/contract/call-summary";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { selectAttempts } from "./attempt-queries";
import { selectDelivery } from "./queries";

/** One delivery of the member's organization with its newest attempts. Throws NOT_FOUND for any other. */
export async function readDelivery(
  { db }: Platform,
  { organization }: Member,
  deliveryId: string,
): Promise<DeliveryView> {
  const found = isId(deliveryId) ? await findDelivery(db, organization.id, deliveryId) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  return found.delivery;
}

/** A delivery with its attempts, and its event. */
export async function findDelivery(db: Db, organizationId: string, deliveryId: string) {
  const row = await selectDelivery(db, organizationId, deliveryId);
  if (row === undefined) return undefined;
  const { event, ...delivery } = row;
  const attempts = await selectAttempts(db, deliveryId);
  const view: DeliveryView = {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt.toISOString(),
    createdAt: delivery.createdAt.toISOString(),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      startedAt: attempt.startedAt.toISOString(),
      dueAt: attempt.dueAt?.toISOString() ?? null,
    })),
  };
  return { delivery: view, event };
}
