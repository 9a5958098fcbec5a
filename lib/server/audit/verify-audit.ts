import type { Db } from "../database/connect";
import type { Keyring } from "../platform/keyring";
import type { Platform } from "../platform/platform";
import { CHAIN_START, faultOfHead, faultOfResealing, faultOfRow, type AuditFault } from "./check-audit";
import { readAuditHead, readOneMoment, selectAuditRows, selectResealing } from "./queries";

export type AuditVerdict = { intact: true; rows: number } | ({ intact: false } & AuditFault);

/** Rows in memory at a time. */
const PAGE = 1_000;

/**
 * Walks a chain from its first row: an edited, inserted, deleted or cut row breaks it at a position. Each seal is
 * checked with the master key that it names, also in the middle of a rotation.
 */
export async function verifyAudit(platform: Platform, chain: string): Promise<AuditVerdict> {
  return platform.db.transaction(async (tx) => {
    await readOneMoment(tx);
    return walk(tx, platform.keyring, chain);
  });
}

async function walk(tx: Db, keyring: Keyring, chain: string): Promise<AuditVerdict> {
  const resealing = await selectResealing(tx, chain);
  let last = CHAIN_START;
  for (;;) {
    const rows = await selectAuditRows(tx, chain, last.position, PAGE);
    for (const row of rows) {
      const isMarked = resealing?.position === row.position;
      const fault =
        faultOfRow(keyring, last, row) ??
        (isMarked ? faultOfResealing(keyring, resealing, row.seal) : undefined);
      if (fault !== undefined) return { intact: false, ...fault };
      last = { position: row.position, seal: isMarked ? resealing.before : row.seal };
    }
    if (rows.length < PAGE) break;
  }
  const fault =
    resealing !== undefined && resealing.position > last.position
      ? { position: last.position, reason: "the trail was cut" }
      : faultOfHead(keyring, chain, last, await readAuditHead(tx, chain));
  return fault === undefined ? { intact: true, rows: last.position } : { intact: false, ...fault };
}
