import type { AttemptFilter } from "@/lib/contract/installation";
import type { AttemptPage, AttemptSummary, DeliveryView } from "@/lib/contract/installation-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import {
  installationExists,
  selectAttempt,
  selectAttempts,
  selectDelivery,
  selectPendingDeliveries,
} from "./attempt-queries";

const PAGE_SIZE = 25;

/** A page of the calls of one of the member's installations, newest first. `next` is the cursor of the next page. */
export async function listAttempts(
  platform: Platform,
  member: Member,
  installationId: string,
  { before, ...filter }: AttemptFilter & { before?: string } = {},
): Promise<AttemptPage> {
  await requireOwn(platform, member, installationId);
  if (before !== undefined && !isId(before))
    throw new Problem("BAD_INPUT", "The cursor is not valid. Load the list again.");
  const { db } = platform;
  const limit = PAGE_SIZE + 1;
  const selection = { ...filter, before, limit };
  const [found, pending] = await Promise.all([
    selectAttempts(db, member.organization.id, installationId, selection),
    before === undefined ? selectPendingDeliveries(db, installationId) : undefined,
  ]);
  const attempts = found.slice(0, PAGE_SIZE).map(viewSummary);
  return {
    attempts,
    next: found.length > PAGE_SIZE ? attempts.at(-1)?.id : undefined,
    pending: pending && {
      ...pending,
      waitingSince: pending.waitingSince?.toISOString() ?? null,
      nextRetryAt: pending.nextRetryAt?.toISOString() ?? null,
    },
  };
}

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
