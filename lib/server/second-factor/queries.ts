import { and, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { recoveryCodes, secondFactors } from "@/drizzle/schema/identity";
import type { Db } from "../database/connect";

export type SecondFactorRow = typeof secondFactors.$inferSelect;

export async function selectSecondFactor(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.userId, userId));
  return row;
}

/** Replaces one that was never confirmed. False if a confirmed one exists. */
export async function upsertUnconfirmed(
  tx: Db,
  row: Pick<SecondFactorRow, "userId" | "wrapped" | "masterKeyId">,
): Promise<boolean> {
  const { rowCount } = await tx
    .insert(secondFactors)
    .values(row)
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { wrapped: row.wrapped, masterKeyId: row.masterKeyId, lastStep: 0, createdAt: sql`now()` },
      setWhere: isNull(secondFactors.confirmedAt),
    });
  return rowCount === 1;
}

/** False if a code of this time step or a later one was accepted before: each code works once. */
export async function advanceStep(
  tx: Db,
  userId: string,
  step: number,
  confirmed: "confirm" | "confirmed",
): Promise<boolean> {
  const isConfirmed = confirmed === "confirm" ? isNull : isNotNull;
  const { rowCount } = await tx
    .update(secondFactors)
    .set({ lastStep: step, ...(confirmed === "confirm" ? { confirmedAt: sql`now()` } : {}) })
    .where(
      and(
        eq(secondFactors.userId, userId),
        lt(secondFactors.lastStep, step),
        isConfirmed(secondFactors.confirmedAt),
      ),
    );
  return rowCount === 1;
}

export async function deleteSecondFactor(tx: Db, userId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const { rowCount } = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId));
  return rowCount === 1;
}

export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash })));
}

/** False if the user has no such code, or used it. */
export async function deleteRecoveryCode(tx: Db, userId: string, hash: string): Promise<boolean> {
  const { rowCount } = await tx
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash)));
  return rowCount === 1;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, eq(recoveryCodes.userId, userId));
}
