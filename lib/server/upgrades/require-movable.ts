import type { InstallationState } from "@/lib/contract/installation";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayOperate } from "@/lib/domain/installation";
import type { Db } from "../database/connect";
import { selectOpenUpgrade } from "./queries";
import { isSwitchable, type SwitchableState } from "./switch-version";

export function requireOperator(member: Member, test: boolean): void {
  if (mayOperate(member.organization.role, test)) return;
  throw new Problem(
    "NOT_ALLOWED",
    "Publishers may only upgrade a Test Launch. Ask an operator or an owner of your organization.",
  );
}

/** The state of an installation that may move to another version now. Throws WRONG_STATE for one that may not. */
export async function requireMovable(
  tx: Db,
  installationId: string,
  state: InstallationState,
): Promise<SwitchableState> {
  if (!isSwitchable(state)) throw new Problem("WRONG_STATE", `It cannot be upgraded now. ${MEND[state]}`);
  if ((await selectOpenUpgrade(tx, installationId)) !== undefined)
    throw new Problem("WRONG_STATE", "An upgrade is under way already. Wait until it has ended.");
  return state;
}

const MEND = {
  LAUNCHING: "It is being launched: wait until that has ended.",
  STOPPING: "It is being stopped: wait until that has ended.",
  UNINSTALLING: "It is being uninstalled.",
  UNINSTALLED: "It was uninstalled. Launch the app again instead.",
} satisfies Record<Exclude<InstallationState, SwitchableState>, string>;
