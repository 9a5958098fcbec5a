import type { InstallationState } from "@/lib/contract/installation";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { mayOperate, stateAfter, type Command } from "@/lib/domain/installation";
import { recordAudit } from "../audit/record-audit";
import { notifyWorker } from "../database/notify-worker";
import type { Platform } from "../platform/platform";
import { failUpgrade } from "../upgrades/fail-upgrade";
import { moveInstallation, selectCommandable } from "./queries";

/** Moves the state, and nothing else: a worker does what it takes. Throws WRONG_STATE where the command makes no sense. */
export async function commandInstallation(
  platform: Platform,
  member: Member,
  id: string,
  command: Command,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const found = isId(id) ? await selectCommandable(tx, organizationId, id) : undefined;
    if (found === undefined) throw new Problem("NOT_FOUND");
    if (!mayOperate(member.organization.role, found.test)) {
      throw new Problem(
        "NOT_ALLOWED",
        `Publishers may only ${command} a Test Launch. Ask an operator or an owner of your organization.`,
      );
    }
    const from = found.state;
    const to = stateAfter(from, command);
    if (to === undefined) throw wrongState(from, command);
    if (!(await moveInstallation(tx, organizationId, id, from, to))) {
      throw new Problem(
        "WRONG_STATE",
        "The installation changed at the same moment. Look at its state, then try again.",
      );
    }
    if (command !== "start") await failUpgrade(platform, tx, { id, organizationId }, overtakenBy(command));
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: `installation.${command}`,
      subject: `installation:${id}`,
      details: { from, to },
    });
    await notifyWorker(tx);
  });
}

function overtakenBy(command: "stop" | "uninstall"): string {
  const what = command === "stop" ? "stopped" : "uninstalled";
  return `The installation was ${what} before the new version was ready.`;
}

function wrongState(state: InstallationState, command: Command): Problem {
  const mend = {
    LAUNCHING: "It is being launched: wait until that has ended.",
    RUNNING: "It runs already.",
    ERROR: "It does not run. Start it, or uninstall it.",
    STOPPING: "It is being stopped: wait until that has ended.",
    STOPPED: "It is stopped already.",
    UNINSTALLING: "It is being uninstalled.",
    UNINSTALLED: "It was uninstalled. Launch the app again instead.",
  } satisfies Record<InstallationState, string>;
  return new Problem("WRONG_STATE", `The installation cannot ${command} now. ${mend[state]}`);
}
