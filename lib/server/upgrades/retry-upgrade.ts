import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { holdInstallation } from "../installations/change/queries";
import type { Platform } from "../platform/platform";
import { requireTarget, startUpgrade } from "./begin-upgrade";
import { selectNewestUpgrade } from "./queries";
import { requireMovable, requireOperator } from "./require-movable";
import { isRetryable } from "./view-upgrade";

/** Tries a failed upgrade again, with the answers that it had. WRONG_STATE when something was saved since. */
export async function retryUpgrade(
  platform: Platform,
  member: Member,
  id: string,
): Promise<{ upgradeId: string }> {
  return platform.db.transaction(async (tx) => {
    const held = isId(id) ? await holdInstallation(tx, member.organization.id, id) : undefined;
    if (held === undefined) throw new Problem("NOT_FOUND");
    requireOperator(member, held.test);
    const state = await requireMovable(tx, id, held.state);
    const failed = (await selectNewestUpgrade(tx, id))?.upgrade;
    if (failed === undefined || !isRetryable(failed, held))
      throw new Problem(
        "WRONG_STATE",
        "There is no failed upgrade to try again, or the configuration was saved since. Begin a new one.",
      );
    await requireTarget(tx, { ...held, id }, failed.toVersionId);
    const { fromVersionId, toVersionId, fromRevision, toRevision, rollback } = failed;
    const start = { installationId: id, fromVersionId, toVersionId, fromRevision, toRevision, rollback };
    return { upgradeId: await startUpgrade(platform, tx, member, state, start) };
  });
}
