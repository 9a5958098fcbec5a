import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import { isId } from "@/lib/contract/names";
import { recordAudit } from "../audit/record-audit";
import { notifyWorker } from "../database/work-channel";
import { endParking } from "../instances/parking-queries";
import type { Platform } from "../platform/platform";
import { selectState } from "./queries";

/**
 * Unparks the version of an installation: a worker starts it within seconds, for all installations of that version. Throws
 * NOT_FOUND for an installation of another organization, NOT_ALLOWED, and WRONG_STATE if it is not parked.
 */
export async function startAgain(platform: Platform, member: Member, id: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const found = isId(id) ? await selectState(tx, organizationId, id) : undefined;
    if (found === undefined) throw new Problem("NOT_FOUND");
    if (!mayOperate(member.organization.role, found.test))
      throw new Problem(
        "NOT_ALLOWED",
        "Publishers can only start a Test Launch again. Ask an operator or an owner of your organization.",
      );
    if (found.state !== "RUNNING" || !(await endParking(tx, found.versionId, "START_AGAIN", member.userId)))
      throw new Problem("WRONG_STATE", "The app isn't parked, so there is nothing to start again.");
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "installation.start-again",
      subject: `installation:${id}`,
      details: { versionId: found.versionId },
    });
    await notifyWorker(tx);
  });
}
