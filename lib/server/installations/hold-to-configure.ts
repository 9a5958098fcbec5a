import type { InstallationState } from "@/lib/contract/installation";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import type { Db } from "../database/connect";
import { selectOpenUpgrade } from "../upgrades/queries";
import { holdInstallation } from "./change/queries";

export type HeldInstallation = NonNullable<Awaited<ReturnType<typeof holdInstallation>>> & { id: string };

/**
 * Locks an installation whose configuration may be changed from `revision` on. Throws NOT_FOUND for a foreign one,
 * NOT_ALLOWED, WRONG_STATE while it ends or moves to another version, and STALE_REVISION.
 */
export async function holdToConfigure(
  tx: Db,
  member: Member,
  id: string,
  revision: number,
): Promise<HeldInstallation> {
  const held = isId(id) ? await holdInstallation(tx, member.organization.id, id) : undefined;
  if (held === undefined) throw new Problem("NOT_FOUND");
  if (!mayOperate(member.organization.role, held.test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers may only configure a Test Launch. Ask an operator or an owner.",
    );
  const ended = ENDED[held.state];
  if (ended !== undefined) throw new Problem("WRONG_STATE", `It cannot be configured any more. ${ended}`);
  if ((await selectOpenUpgrade(tx, id))?.state === "STARTING")
    throw new Problem(
      "WRONG_STATE",
      "An upgrade is under way, with the configuration as it is. Wait until it has switched, then save again.",
    );
  if (held.revision !== revision)
    throw new Problem(
      "STALE_REVISION",
      `Revision ${held.revision} was saved meanwhile. Compare, then save again.`,
    );
  return { ...held, id };
}

const ENDED: Partial<Record<InstallationState, string>> = {
  UNINSTALLING: "It is being uninstalled.",
  UNINSTALLED: "It was uninstalled. Launch the app again instead.",
};
