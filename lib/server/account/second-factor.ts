import type { SecondFactorSetup } from "@/lib/contract/account";
import { Problem } from "@/lib/contract/problem";
import type { Actor, Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Db } from "../database/connect";
import { changedMail, mailAccount } from "../identity/account-mails";
import { auditAccount } from "../identity/audit-account";
import type { Client } from "../identity/client";
import { countTry } from "../identity/count-tries";
import type { Platform } from "../platform/platform";
import { hasSecondFactor } from "../second-factor/check-code";
import {
  advanceStep,
  countRecoveryCodes,
  deleteSecondFactor,
  replaceRecoveryCodes,
  selectSecondFactor,
  upsertUnconfirmed,
} from "../second-factor/queries";
import { createRecoveryCodes } from "../second-factor/recovery-codes";
import { createSecret, findStep } from "../second-factor/totp";
import { checkCurrentPassword } from "./check-current-password";
import { selectRequirement, updateRequirement } from "./queries";

export interface SecondFactorState {
  /** ISO 8601; undefined without one. */
  since?: string;
  recoveryCodesLeft: number;
}

export async function readSecondFactor(platform: Platform, { userId }: Actor): Promise<SecondFactorState> {
  const since = (await selectSecondFactor(platform.db, userId))?.confirmedAt?.toISOString();
  return { since, recoveryCodesLeft: await countRecoveryCodes(platform.db, userId) };
}

/**
 * A secret for an authenticator app. Signing in doesn't require it until it is confirmed. Throws BAD_INPUT or
 * WRONG_STATE.
 */
export async function beginSecondFactor(
  platform: Platform,
  actor: Actor,
  currentPassword: string,
  client: Client,
): Promise<SecondFactorSetup> {
  await checkCurrentPassword(platform, actor, currentPassword, client);
  const { sealed, secret, uri } = createSecret(platform.keyring, actor.userId, actor.email);
  if (!(await upsertUnconfirmed(platform.db, { userId: actor.userId, ...sealed })))
    throw new Problem("WRONG_STATE", "Two-factor sign-in is already on. Turn it off to use another app.");
  return { secret, uri };
}

/**
 * Turns it on. Returns the recovery codes, which nobody can read again. Throws WRONG_CODE, WRONG_STATE or
 * TOO_MANY_REQUESTS.
 */
export async function confirmSecondFactor(platform: Platform, actor: Actor, code: string): Promise<string[]> {
  const { userId } = actor;
  const { keyring, db } = platform;
  const tries = await countTry(platform, [["code-account", userId]]);
  const codes = await db.transaction(async (tx) => {
    const row = await selectSecondFactor(tx, userId);
    if (row === undefined || row.confirmedAt !== null)
      throw new Problem("WRONG_STATE", "This page is out of date. Reload it and start the setup again.");
    const step = findStep(keyring, userId, row, code);
    if (step === undefined || !(await advanceStep(tx, userId, step, "confirm"))) throw wrongCode();
    const shown = await giveCodes(tx, userId);
    await tell(tx, platform, actor, "Two-factor sign-in is on", "Two-factor sign-in was turned on.");
    await auditAccount(tx, keyring, { userId, action: "account.turn-on-second-factor" });
    return shown;
  });
  await tries.giveBack();
  return codes;
}

function wrongCode(): Problem {
  const message =
    "This code is wrong. Check that your phone's clock is correct, then enter the code shown now.";
  return new Problem("WRONG_CODE", message, [{ code: "wrong", pointer: "/code", message }]);
}

/** Replaces the recovery codes. Throws BAD_INPUT or WRONG_STATE. */
export async function renewRecoveryCodes(
  platform: Platform,
  actor: Actor,
  currentPassword: string,
  client: Client,
): Promise<string[]> {
  await checkCurrentPassword(platform, actor, currentPassword, client);
  const { userId } = actor;
  return platform.db.transaction(async (tx) => {
    if (!(await hasSecondFactor(tx, userId)))
      throw new Problem("WRONG_STATE", "Turn two-factor sign-in on first.");
    const codes = await giveCodes(tx, userId);
    await tell(tx, platform, actor, "New recovery codes", "Your recovery codes were replaced.");
    await auditAccount(tx, platform.keyring, { userId, action: "account.renew-recovery-codes" });
    return codes;
  });
}

/** Throws BAD_INPUT or WRONG_STATE. */
export async function removeSecondFactor(
  platform: Platform,
  actor: Actor,
  currentPassword: string,
  client: Client,
): Promise<void> {
  await checkCurrentPassword(platform, actor, currentPassword, client);
  const { userId } = actor;
  await platform.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, userId)))
      throw new Problem("WRONG_STATE", "Two-factor sign-in is already off. Reload the page.");
    await tell(tx, platform, actor, "Two-factor sign-in is off", "Two-factor sign-in was turned off.");
    await auditAccount(tx, platform.keyring, { userId, action: "account.turn-off-second-factor" });
  });
}

/** Whether members of the organization need a second factor. */
export function readRequirement(platform: Platform, member: Member): Promise<boolean> {
  return selectRequirement(platform.db, member.organization.id);
}

/** Applies to the next request of each member. Throws WRONG_STATE if the owner has no second factor. */
export async function requireSecondFactor(
  platform: Platform,
  member: Member,
  required: boolean,
): Promise<void> {
  const { id } = member.organization;
  if (required && (await readSecondFactor(platform, member)).since === undefined)
    throw new Problem("WRONG_STATE", "Turn on two-factor sign-in for your own account first.");
  await platform.db.transaction(async (tx) => {
    await updateRequirement(tx, id, required);
    await recordAudit(tx, platform.keyring, {
      chain: id,
      actor: `user:${member.userId}`,
      action: "organization.change-second-factor",
      subject: `organization:${id}`,
      details: { required },
    });
  });
}

async function giveCodes(tx: Db, userId: string): Promise<string[]> {
  const { codes, hashes } = createRecoveryCodes();
  await replaceRecoveryCodes(tx, userId, hashes);
  return codes;
}

function tell(tx: Db, platform: Platform, { email }: Actor, subject: string, what: string): Promise<void> {
  return mailAccount(tx, platform, email, changedMail(subject, what));
}
