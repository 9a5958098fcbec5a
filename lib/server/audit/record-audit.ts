import type { Db } from "../database/connect";
import type { Keyring } from "../platform/keyring";
import { insertAuditRow, lockAuditHead } from "./queries";
import { sealAuditHead, sealAuditRow } from "./seal-audit";

export interface AuditEntry {
  /** The organization that it concerns, or `platform`. */
  chain: string;
  /** `user:<id>`, `api-key:<id>`, `core:<tenantId>` or `worker`. */
  actor: string;
  /** Concept and verb, such as `listing.create`. */
  action: string;
  /** Concept and id, such as `listing:<id>`. */
  subject: string;
  /** What changed; never a secret. */
  details?: Record<string, unknown>;
}

/** Writes the audit row of a mutation. Call it in the mutation's own transaction, last: it holds the chain's lock. */
export async function recordAudit(tx: Db, keyring: Keyring, entry: AuditEntry): Promise<void> {
  const head = await lockAuditHead(tx, entry.chain);
  const content = {
    ...entry,
    details: entry.details ?? {},
    position: (head?.position ?? 0) + 1,
    at: new Date(),
  };
  const seal = sealAuditRow(keyring.current, head?.seal ?? "", content);
  await insertAuditRow(
    tx,
    { ...content, seal },
    sealAuditHead(keyring.current, entry.chain, content.position, seal),
  );
}
