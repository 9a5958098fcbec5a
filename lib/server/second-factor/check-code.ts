import type { Db } from "../database/connect";
import type { Keyring } from "../platform/keyring";
import { advanceStep, deleteRecoveryCode, selectSecondFactor } from "./queries";
import { hashRecoveryCode } from "./recovery-codes";
import { findStep } from "./totp";

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await selectSecondFactor(db, userId);
  return row !== undefined && row.confirmedAt !== null;
}

export type CodeResult = "app" | "recovery-code" | "wrong";

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
