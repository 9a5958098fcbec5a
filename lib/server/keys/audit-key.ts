/** The key that seals the audit trails (docs/decisions/016-audit-key.md). */
import { randomBytes } from "node:crypto";
import type { Db } from "../database/connect";
import { deriveKey, type Keyring } from "../platform/keyring";
import { insertAuditKey, isAnyChainSealed, selectAuditKeys, type AuditKeyRow } from "./queries";
import { unwrapKey, wrapKey } from "./wrapped-key";

export interface AuditKey {
  /** Each seal starts with it. */
  id: string;
  key: Buffer;
}

const CURRENT = "audit-1";

/** The key for new seals. Created on first use. */
export async function readAuditKey(keyring: Keyring, tx: Db): Promise<AuditKey> {
  return (await readAuditKeys(keyring, tx))(CURRENT);
}

/** Returns a lookup by id. It throws for a key that is missing or doesn't open. */
export async function readAuditKeys(keyring: Keyring, db: Db): Promise<(id: string) => AuditKey> {
  const rows = new Map((await ensureAuditKeys(keyring, db)).map((row) => [row.id, row]));
  return (id) => {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`the audit key '${id}' is missing`);
    return { id, key: unwrapKey(keyring, "audit-key", id, row) };
  };
}

/**
 * Earlier versions sealed with keys derived from the master keys. Those become audit keys too, under the ids of their
 * master keys: the seals stay as they are, and the master keys can be retired.
 */
export async function ensureAuditKeys(keyring: Keyring, db: Db): Promise<AuditKeyRow[]> {
  const rows = await selectAuditKeys(db);
  if (rows.some(({ id }) => id === CURRENT)) return rows;
  const isSealed = await isAnyChainSealed(db);
  const insert = (id: string, key: Buffer) =>
    insertAuditKey(db, { id, ...wrapKey(keyring.current, "audit-key", id, key) });
  // Not inserted if another process was first.
  const isFirst = await insert(CURRENT, randomBytes(32));
  if (isFirst && isSealed)
    for (const master of keyring.byId.values()) await insert(master.id, deriveKey(master, "audit"));
  return selectAuditKeys(db);
}
