import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { installationExists, selectAttempt, selectAttempts } from "./queries";

const PAGE_SIZE = 50;

/** A page of the calls of one of the member's installations, newest first. `next` is the cursor of the next page. */
export async function listAttempts(
  platform: Platform,
  member: Member,
  installationId: string,
  before?: string,
) {
  const organizationId = member.organization.id;
  const known =
    isId(installationId) && (await installationExists(platform.db, organizationId, installationId));
  if (!known) throw new Problem("NOT_FOUND");
  if (before !== undefined && !isId(before))
    throw new Problem("BAD_INPUT", "The cursor is not valid. Load the list again.");
  const found = await selectAttempts(platform.db, organizationId, installationId, before, PAGE_SIZE + 1);
  const attempts = found.slice(0, PAGE_SIZE);
  return { attempts, next: found.length > PAGE_SIZE ? attempts.at(-1)?.id : undefined };
}

/** One call with its payload, its answer, and its state reads. */
export async function readAttempt(platform: Platform, member: Member, attemptId: string) {
  const attempt = isId(attemptId)
    ? await selectAttempt(platform.db, member.organization.id, attemptId)
    : undefined;
  if (attempt === undefined) throw new Problem("NOT_FOUND");
  return attempt;
}
