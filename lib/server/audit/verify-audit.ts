import type { Platform } from "../platform";
import { readAuditHead, selectAuditChain } from "./queries";
import { sealAuditHead, sealAuditRow } from "./seal-audit";

export type AuditVerdict =
  { intact: true; rows: number } | { intact: false; position: number; reason: string };

/** Walks a chain from its first row: an edited, inserted, deleted or cut row breaks it at a position. */
export async function verifyAudit(platform: Platform, chain: string): Promise<AuditVerdict> {
  const rows = await selectAuditChain(platform.db, chain);
  const masterOf = (seal: string) => platform.keyring.byId.get(seal.split(":")[0] ?? "");
  let previous = "";
  for (const [index, row] of rows.entries()) {
    const position = index + 1;
    if (row.position !== position) return { intact: false, position, reason: "a row is missing" };
    const master = masterOf(row.seal);
    if (master === undefined || sealAuditRow(master, previous, row) !== row.seal) {
      return { intact: false, position, reason: "the row was changed" };
    }
    previous = row.seal;
  }
  const head = await readAuditHead(platform.db, chain);
  const position = rows.length;
  if (head === undefined)
    return position === 0
      ? { intact: true, rows: 0 }
      : { intact: false, position, reason: "the head is missing" };
  const master = masterOf(head.headSeal);
  const expected = master && sealAuditHead(master, chain, head.position, head.seal);
  if (expected !== head.headSeal)
    return { intact: false, position: head.position, reason: "the head was changed" };
  if (head.position !== position || head.seal !== previous)
    return { intact: false, position, reason: "the trail was cut" };
  return { intact: true, rows: position };
}
