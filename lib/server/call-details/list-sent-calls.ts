import type { sentCalls } from "@/lib/contract/console";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import type { z } from "zod";
import type { Platform } from "../platform/platform";
import { installationExists } from "./attempt-queries";
import { selectSentCalls } from "./queries";

/** The last test calls of one of the member's installations whose payloads were recorded. */
export async function listSentCalls(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<z.infer<typeof sentCalls>> {
  const { db } = platform;
  const { id: organizationId } = member.organization;
  if (!isId(installationId) || !(await installationExists(db, organizationId, installationId)))
    throw new Problem("NOT_FOUND");
  const calls = await selectSentCalls(db, installationId);
  return { calls: calls.map((call) => ({ ...call, startedAt: call.startedAt.toISOString() })) };
}
