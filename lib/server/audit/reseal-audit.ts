import type { Platform } from "../platform/platform";
import { CHAIN_START, faultOfHead, faultOfResealing, faultOfRow, type AuditFault } from "./check-audit";
import {
  deleteResealing,
  lockAuditHead,
  selectAuditRows,
  selectAuditSeal,
  selectFirstOfOtherKey,
  selectResealing,
  updateAuditHead,
  updateAuditSeals,
  upsertResealing,
  type AuditHead,
} from "./queries";
import { sealAuditHead, sealAuditRow, sealResealing, type Resealing } from "./seal-audit";
import { verifyAudit } from "./verify-audit";
import type { Db } from "../database/connect";

/** Rows a transaction: changes of the chain's organization wait for one of these at most, some hundredths of a second. */
const BATCH = 500;
/** A part that seals with an old key while this runs would else be followed for ever. */
const PASSES = 3;

/** `rows` have a seal of the current master key now; with a `fault` the rest was left as it is. */
export interface Resealed {
  rows: number;
  fault?: AuditFault;
}

/**
 * Seals a chain anew with the current master key, from the first row that another key seals to its end: each seal covers
 * the one before it, so the rows after it change too. A transaction a batch, under the lock that new rows take; between
 * two batches a mark says how far it is, and the chain verifies, so it can be broken off anywhere and is gone on with by
 * whoever comes next. A chain that does not verify is left alone.
 */
export async function resealAudit(
  platform: Platform,
  chain: string,
  onBatch: (rows: number) => void = () => undefined,
): Promise<Resealed> {
  const verdict = await verifyAudit(platform, chain);
  if (!verdict.intact) return { rows: 0, fault: verdict };
  let rows = 0;
  for (let passes = 0; passes < PASSES;) {
    const batch = await platform.db.transaction((tx) => resealBatch(platform, tx, chain));
    rows += batch.rows;
    if (batch.fault !== undefined) return { rows, fault: batch.fault };
    if (batch.rows > 0) onBatch(batch.rows);
    if (batch.place === "nothing left") break;
    if (batch.place === "end") passes += 1;
  }
  return { rows };
}

interface Batch extends Resealed {
  place?: "middle" | "end" | "nothing left";
}

/** Checks everything before it writes anything: a fault leaves the chain as it was. */
async function resealBatch(platform: Platform, tx: Db, chain: string): Promise<Batch> {
  const { keyring } = platform;
  const { current } = keyring;
  const head = await lockAuditHead(tx, chain);
  const resealing = await selectResealing(tx, chain);
  const from = resealing?.position ?? (await startOf(tx, chain, head, current.id));
  if (from === undefined) return { rows: 0, place: "nothing left" };

  let fresh = from === 0 ? CHAIN_START.seal : await selectAuditSeal(tx, chain, from);
  if (fresh === undefined) return { rows: 0, fault: { position: from, reason: "a row is missing" } };
  let fault = resealing === undefined ? undefined : faultOfResealing(keyring, resealing, fresh);
  let last = { position: from, seal: resealing?.before ?? fresh };
  const rows = await selectAuditRows(tx, chain, from, BATCH);
  const seals: { position: number; seal: string }[] = [];
  for (const row of rows) {
    fault ??= faultOfRow(keyring, last, row);
    last = { position: row.position, seal: row.seal };
    fresh = sealAuditRow(current, fresh, row);
    seals.push({ position: row.position, seal: fresh });
  }
  const isEnd = rows.length < BATCH;
  if (isEnd) fault ??= faultOfHead(keyring, chain, last, head);
  if (fault !== undefined) return { rows: 0, fault };

  const { position, seal: before } = last;
  await updateAuditSeals(tx, chain, seals);
  if (isEnd) {
    await updateAuditHead(tx, chain, {
      position,
      seal: fresh,
      headSeal: sealAuditHead(current, chain, position, fresh),
    });
    await deleteResealing(tx, chain);
  } else {
    const mark: Omit<Resealing, "seal"> = { chain, position, before };
    await upsertResealing(tx, { ...mark, seal: sealResealing(current, mark, fresh) });
  }
  return { rows: rows.length, place: isEnd ? "end" : "middle" };
}

/** The row after which other keys' seals begin; undefined when there are none. */
async function startOf(
  tx: Db,
  chain: string,
  head: AuditHead | undefined,
  keyId: string,
): Promise<number | undefined> {
  const first = await selectFirstOfOtherKey(tx, chain, keyId);
  if (first !== undefined) return first - 1;
  return head === undefined || head.headSeal.startsWith(`${keyId}:`) ? undefined : head.position;
}
