import type { ConfigurationCheckView } from "@/lib/contract/configuration-check";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { notifyWorker } from "../database/work-channel";
import type { Platform } from "../platform/platform";
import { dismissChecks, selectCheck } from "./queries";

/** How far a check is, and what it found. Throws NOT_FOUND for checks of others, and after a while for those that ended. */
export async function readCheck(
  platform: Platform,
  member: Member,
  id: string,
): Promise<ConfigurationCheckView> {
  const found = isId(id) ? await selectCheck(platform.db, toOwner(member), id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const { state, result, expired } = found;
  if (state !== "ENDED" && expired) return { state: "ENDED", result: { outcome: "FAILED", reason: EXPIRED } };
  return { state, result };
}

const EXPIRED = "The platform couldn't make the check in time. Try again in a moment.";

/** Ends a check: its answers are deleted, and its state key stops working. Throws NOT_FOUND for checks of others. */
export async function cancelCheck(platform: Platform, member: Member, id: string): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const isMine = isId(id) && (await dismissChecks(tx, toOwner(member), id));
    if (!isMine) throw new Problem("NOT_FOUND");
    // The next one may begin.
    await notifyWorker(tx);
  });
}

function toOwner({ userId, organization }: Member) {
  return { userId, organizationId: organization.id };
}
