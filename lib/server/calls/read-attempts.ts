import type { AttemptSummary, DeliveryView } from "@/lib/contract/installation-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { installationExists, selectAttempt, selectAttempts, selectDelivery } from "./attempt-queries";

const PAGE_SIZE = 25;

/** One call with its payload, its answer, and its state reads. */
export async function readAttempt(platform: Platform, member: Member, attemptId: string) {
  const attempt = isId(attemptId)
    ? await selectAttempt(platform.db, member.organization.id, attemptId)
    : undefined;
  if (attempt === undefined) throw new Problem("NOT_FOUND");
  return attempt;
}

/** One delivery with its state and all of its attempts. */
export async function readDelivery(
  platform: Platform,
  member: Member,
  installationId: string,
  deliveryId: string,
): Promise<DeliveryView> {
  await requireOwn(platform, member, installationId);
  const { db } = platform;
  const delivery = isId(deliveryId) ? await selectDelivery(db, installationId, deliveryId) : undefined;
  if (delivery === undefined) throw new Problem("NOT_FOUND");
  const selection = { deliveryId, limit: PAGE_SIZE };
  const attempts = await selectAttempts(db, member.organization.id, installationId, selection);
  return {
    ...delivery,
    nextAttemptAt: delivery.nextAttemptAt.toISOString(),
    attempts: attempts.map(viewSummary),
  };
}

async function requireOwn(platform: Platform, member: Member, installationId: string): Promise<void> {
  const known =
    isId(installationId) && (await installationExists(platform.db, member.organization.id, installationId));
  if (!known) throw new Problem("NOT_FOUND");
}

function viewSummary(row: Awaited<ReturnType<typeof selectAttempts>>[number]): AttemptSummary {
  return { ...row, startedAt: row.startedAt.toISOString(), dueAt: row.dueAt?.toISOString() ?? null };
}
