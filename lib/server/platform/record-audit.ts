import { createHmac, randomBytes } from "node:crypto";
import type { AuditAction } from "@/lib/contract/platform/audit";
import { toStorableJson } from "@/lib/contract/platform/text";
import {
  type AuditKeyRow,
  insertAuditKey,
  insertAuditRow,
  isAnyChainSealed,
  lockAuditHead,
  selectAuditKeys,
} from "./audit-queries";
import type { Db } from "./database/connect";
import { deriveKey, type Keyring, unwrapKey, wrapKey } from "./keyring";

export interface AuditEntry {
  /** Id of the organization that it concerns, or `platform`. */
  chain: string;
  /** `user:<id>`, `api-key:<id>`, `core:<tenantId>` or `worker`. */
  actor: string;
  /** A new one needs its sentence in `AUDIT_ACTIONS`. */
  action: AuditAction;
  /** Concept and id, such as `listing:<id>`. */
  subject: string;
  /** What changed; never a secret. */
  details?: Record<string, unknown>;
}

/** Writes a mutation's audit row. Call it last in the mutation's own transaction, because it locks the chain. */
export async function recordAudit(tx: Db, keyring: Keyring, entry: AuditEntry): Promise<void> {
  // What is sealed is what PostgreSQL will return.
  const stored: AuditEntry = JSON.parse(toStorableJson(entry));
  const key = await readAuditKey(keyring, tx);
  const head = await lockAuditHead(tx, stored.chain);
  const position = (head?.position ?? 0) + 1;
  const content = { ...stored, details: stored.details ?? {}, position, at: new Date() };
  const seal = sealAuditRow(key, head?.seal ?? "", content);
  await insertAuditRow(tx, { ...content, seal }, sealAuditHead(key, stored.chain, position, seal));
}

interface AuditContent {
  chain: string;
  position: number;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
  at: Date;
}

/** Covers the row and the previous row's seal. `<id of the audit key>:<HMAC-SHA-256, hex>`. */
export function sealAuditRow(key: AuditKey, previous: string, row: AuditContent): string {
  const { chain, position, actor, action, subject, details, at } = row;
  return hmac(key, [previous, chain, position, actor, action, subject, canonical(details), at.toISOString()]);
}

export function sealAuditHead(key: AuditKey, chain: string, position: number, seal: string): string {
  return hmac(key, ["head", chain, position, seal]);
}

export function sealCheckpoint(
  key: AuditKey,
  { at, chain, position, seal }: { at: string; chain: string; position: number; seal: string },
): string {
  return hmac(key, ["checkpoint", at, chain, position, seal]);
}

function hmac({ id, key }: AuditKey, fields: readonly (string | number)[]): string {
  return `${id}:${createHmac("sha256", key).update(JSON.stringify(fields)).digest("hex")}`;
}

/** JSON with sorted keys, because PostgreSQL's jsonb doesn't keep their order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** The key that seals the audit trails (docs/decisions/011-audit-trails.md). */
export interface AuditKey {
  /** Each seal starts with it. */
  id: string;
  key: Buffer;
}

const CURRENT = "audit-1";

/** The key for new seals. Created on first use. */
async function readAuditKey(keyring: Keyring, tx: Db): Promise<AuditKey> {
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
