import type { AuditAction } from "@/lib/contract/audit";
import type { Db } from "../database/connect";
import { readAuditKey } from "../keys/audit-key";
import type { Keyring } from "../platform/keyring";
import { insertAuditRow, lockAuditHead } from "./queries";
import { sealAuditHead, sealAuditRow } from "./seal-audit";

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
  const key = await readAuditKey(keyring, tx);
  const head = await lockAuditHead(tx, entry.chain);
  const position = (head?.position ?? 0) + 1;
  const content = { ...entry, details: entry.details ?? {}, position, at: new Date() };
  const seal = sealAuditRow(key, head?.seal ?? "", content);
  await insertAuditRow(tx, { ...content, seal }, sealAuditHead(key, entry.chain, position, seal));
}
