import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { installationExists, selectAttempts } from "./queries";

export const PAGE_SIZE = 50;

/** The calls of one of the member's installations, newest first; `next` is the cursor of the following page. */
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
    throw new Problem("BAD_INPUT", "The cursor is not one that a list gave.");
  const found = await selectAttempts(platform.db, organizationId, installationId, before, PAGE_SIZE + 1);
  const attempts = found.slice(0, PAGE_SIZE);
  return { attempts, next: found.length > PAGE_SIZE ? attempts.at(-1)?.id : undefined };
}

export type AttemptRow = Awaited<ReturnType<typeof listAttempts>>["attempts"][number];
