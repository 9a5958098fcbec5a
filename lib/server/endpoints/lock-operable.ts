import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import type { Db } from "../database/connect";
import { lockInstallation } from "../installations/queries";

/** Locks an installation whose endpoints the member may change. Throws NOT_FOUND, NOT_ALLOWED and WRONG_STATE. */
export async function lockOperable(tx: Db, member: Member, installationId: string): Promise<void> {
  const { state, test } = await lockInstallation(tx, member.organization.id, installationId);
  if (!mayOperate(member.organization.role, test))
    throw new Problem(
      "NOT_ALLOWED",
      "Publishers can only change the endpoints of a Test Launch. Ask an operator or an owner of your organization.",
    );
  if (state === "UNINSTALLING" || state === "UNINSTALLED")
    throw new Problem("WRONG_STATE", "The app was uninstalled, and its endpoints were removed.");
}
