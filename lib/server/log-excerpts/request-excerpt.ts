import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayReadLogs } from "@/lib/domain/listing";
import { notifyWorker } from "../database/work-channel";
import type { Platform } from "../platform/platform";
import { insertRequest, selectPublisher } from "./queries";

/**
 * Asks a worker for the log at the time of a call. Throws NOT_FOUND for calls of other organizations, and for members
 * who may not read the app's log: for them there is none. It changes nothing but a copy of the log, so it is not
 * audited.
 */
export async function requestExcerpt(platform: Platform, member: Member, attemptId: string): Promise<void> {
  const found = isId(attemptId)
    ? await selectPublisher(platform.db, member.organization.id, attemptId)
    : undefined;
  if (found === undefined || !mayReadLogs(member, found.publisherId)) throw new Problem("NOT_FOUND");
  if (!found.ended)
    throw new Problem("WRONG_STATE", "The call is still in progress. Read its log once it has ended.");
  await platform.db.transaction(async (tx) => {
    await insertRequest(tx, attemptId);
    await notifyWorker(tx);
  });
}
