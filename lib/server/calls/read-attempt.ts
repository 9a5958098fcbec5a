import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { selectAttempt } from "./queries";

/** One call with its payload, its answer, and how often the app read its state. */
export async function readAttempt(platform: Platform, member: Member, attemptId: string) {
  const attempt = isId(attemptId)
    ? await selectAttempt(platform.db, member.organization.id, attemptId)
    : undefined;
  if (attempt === undefined) throw new Problem("NOT_FOUND");
  return attempt;
}
