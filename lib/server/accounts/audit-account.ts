import type { AuditAction } from "@/lib/contract/platform/audit";
import type { Db } from "../platform/database/connect";
import type { Keyring } from "../platform/keyring";
import { recordAudit } from "../platform/record-audit";
import { selectOrganizationIds } from "./account-queries";

interface AccountEntry {
  userId: string;
  action: AuditAction;
  /** The user, if nobody else is named. */
  actor?: string;
  details?: Record<string, unknown>;
}

/** Records a change of an account in the trail of each of its organizations, or of the platform. Call it last in a transaction. */
export async function auditAccount(
  tx: Db,
  keyring: Keyring,
  { userId, actor = `user:${userId}`, ...entry }: AccountEntry,
): Promise<void> {
  const organizationIds = await selectOrganizationIds(tx, userId);
  const chains = organizationIds.length > 0 ? organizationIds : ["platform"];
  for (const chain of chains)
    await recordAudit(tx, keyring, { ...entry, chain, actor, subject: `user:${userId}` });
}
