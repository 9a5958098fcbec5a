import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { SecondFactorSetup } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import type { Actor, Member } from "@/lib/domain/platform/actor";
import type { Db } from "../platform/database/connect";
import { type Keyring, unwrapKey, wrapKey, type WrappedKey } from "../platform/keyring";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { changedMail, mailAccount } from "./account-mails";
import { selectRequirement, updateRequirement } from "./account-queries";
import { auditAccount } from "./audit-account";
import { countTry } from "./count-tries";
import { checkCurrentPassword } from "./password";
import type { Client } from "./sessions";
import {
  advanceStep,
  countRecoveryCodes,
  deleteRecoveryCode,
  deleteSecondFactor,
  replaceRecoveryCodes,
  selectSecondFactor,
  upsertUnconfirmed,
} from "./sign-in-queries";

interface SecondFactorState {
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

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await selectSecondFactor(db, userId);
  return row !== undefined && row.confirmedAt !== null;
}

type CodeResult = "app" | "recovery-code" | "wrong";

/**
 * Uses a code up: of the authenticator app for its time step, or a recovery code permanently. `code`: as `signInCode`
 * gives it.
 */
export async function consumeCode(
  tx: Db,
  keyring: Keyring,
  userId: string,
  code: string,
): Promise<CodeResult> {
  const row = await selectSecondFactor(tx, userId);
  if (row === undefined || row.confirmedAt === null) return "wrong";
  if (!/^\d{6}$/.test(code))
    return (await deleteRecoveryCode(tx, userId, hashRecoveryCode(code))) ? "recovery-code" : "wrong";
  const step = findStep(keyring, userId, row, code);
  if (step === undefined) return "wrong";
  return (await advanceStep(tx, userId, step, "confirmed")) ? "app" : "wrong";
}

const ISSUER = "App Hosting Platform";
const SECRET_BYTES = 20;

/** As authenticator apps have it: SHA-1, 6 digits, 30 seconds. */
function createTotp(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: 30 });
}

interface NewSecret {
  sealed: WrappedKey;
  /** Base32. */
  secret: string;
  /** `otpauth://totp/…`, for a QR code. */
  uri: string;
}

/** `label`: names the account in the app. */
function createSecret(keyring: Keyring, userId: string, label: string): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = wrapKey(keyring.current, "second-factor", userId, Buffer.from(secret.bytes));
  return { sealed, secret: secret.base32, uri: createTotp(secret, label).toString() };
}

/**
 * The time step that the code belongs to, undefined for a wrong code. Clocks may be half a minute apart.
 */
function findStep(
  keyring: Keyring,
  userId: string,
  row: WrappedKey,
  code: string,
  now = Date.now(),
): number | undefined {
  const key = unwrapKey(keyring, "second-factor", userId, row);
  const totp = createTotp(new Secret({ buffer: new Uint8Array(key).buffer }), "");
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}

const COUNT = 10;
const BYTES = 10;
/** RFC 4648, without digits that look like letters. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

interface NewRecoveryCodes {
  /** As they are shown, once: `abcd-efgh-2345-ijkl`. */
  codes: string[];
  hashes: string[];
}

/** 80 random bits each, so that a plain hash is enough. */
function createRecoveryCodes(): NewRecoveryCodes {
  const plain = Array.from({ length: COUNT }, () => toBase32(randomBytes(BYTES)));
  return {
    codes: plain.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-")),
    hashes: plain.map(hashRecoveryCode),
  };
}

/** `code`: without dashes, in lower case. */
function hashRecoveryCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll(/.{5}/g, (five) => ALPHABET.charAt(Number.parseInt(five, 2)));
}
