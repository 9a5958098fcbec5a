import type { UninstallInput } from "@/lib/contract/catalog/configuration";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { type Command, stateAfter } from "@/lib/domain/calls/installation";
import type { Member } from "@/lib/domain/platform/actor";
import { notifyWorker } from "../platform/database/work-channel";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { endParking } from "../runtime/scale-queries";
import {
  insertUninstallAnswer,
  isStartable,
  moveInstallation,
  requireOperator,
  selectState,
} from "./queries";
import { isTrialOver } from "./trial-queries";
import { failUpgrade } from "./upgrade-installation";

/** Launches it again, with its version and configuration. */
export function startInstallation(platform: Platform, member: Member, id: string): Promise<void> {
  return commandInstallation(platform, member, id, "start");
}

/** Once this returns, no calls reach it and its state keys don't work. The stop hook follows. */
export function stopInstallation(platform: Platform, member: Member, id: string): Promise<void> {
  return commandInstallation(platform, member, id, "stop");
}

/** Removes it permanently: a worker tries its hooks, deletes its secrets and ends its routes. @param answer why, for the publisher */
export function uninstallInstallation(
  platform: Platform,
  member: Member,
  id: string,
  answer?: UninstallInput,
): Promise<void> {
  return commandInstallation(platform, member, id, "uninstall", answer);
}

/** Only moves the state; a worker does the rest. Throws WRONG_STATE if the command does not apply. */
export async function commandInstallation(
  platform: Platform,
  member: Member,
  id: string,
  command: Command,
  answer?: UninstallInput,
): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const found = isId(id) ? await selectState(tx, organizationId, id) : undefined;
    if (found === undefined) throw new Problem("NOT_FOUND");
    requireOperator(member.organization.role, found.test, `${command} a Test Launch`);
    if (command === "start" && !found.test && !(await isStartable(tx, found.listingId)))
      throw new Problem(
        "WRONG_STATE",
        "A moderator suspended this app and stopped its installations. You can start it again once the app is reinstated.",
      );
    if (command === "start" && found.trial && (await isTrialOver(tx, id)))
      throw new Problem(
        "WRONG_STATE",
        "This trial is over: a day has passed, or the app is no longer in the marketplace.",
      );
    const from = found.state;
    const to = stateAfter(from, command);
    if (to === undefined)
      throw new Problem("WRONG_STATE", `You can't ${command} this installation now. ${REASONS[from]}`);
    if (!(await moveInstallation(tx, { id, organizationId, from, to })))
      throw new Problem(
        "WRONG_STATE",
        "The installation changed in the meantime. Check its state, then try again.",
      );
    if (answer?.reason !== undefined)
      await insertUninstallAnswer(tx, id, { reason: answer.reason, comment: answer.comment });
    if (command !== "start")
      await failUpgrade(
        platform,
        tx,
        { id, organizationId },
        `The installation was ${PAST_TENSE[command]} before the new version was ready.`,
      );
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

const PAST_TENSE = { stop: "stopped", uninstall: "uninstalled" };

const REASONS: Record<InstallationState, string> = {
  LAUNCHING: "It is being launched. Wait until that is done.",
  RUNNING: "It is already running.",
  ERROR: "It isn't running. Start or uninstall it.",
  STOPPING: "It is being stopped. Wait until that is done.",
  STOPPED: "It is already stopped.",
  UNINSTALLING: "It is being uninstalled.",
  UNINSTALLED: "It was uninstalled. Launch the app again instead.",
};

/**
 * Unparks the version of an installation: a worker starts it within seconds, for all installations of that version. Throws
 * NOT_FOUND for an installation of another organization, NOT_ALLOWED, and WRONG_STATE if it is not parked.
 */
export async function startAgain(platform: Platform, member: Member, id: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    const found = isId(id) ? await selectState(tx, organizationId, id) : undefined;
    if (found === undefined) throw new Problem("NOT_FOUND");
    requireOperator(member.organization.role, found.test, "start a Test Launch again");
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
