import { countAuditSeals } from "../audit/queries";
import type { Platform } from "../platform/platform";
import { countWrappedKeys } from "./queries";

/** What is stored that a master key opens or proves. */
export interface KeyUse {
  keyId: string;
  /** Whether `PLATFORM_MASTER_KEYS` has it. */
  present: boolean;
  dataKeys: number;
  signingKeys: number;
  /** Of audit rows, and of the ends of their chains. */
  auditSeals: number;
}

/** One entry for each master key that there is or that something needs; the current one first. */
export async function countKeyUse(platform: Platform): Promise<KeyUse[]> {
  const uses = new Map<string, KeyUse>();
  const entryOf = (keyId: string): KeyUse => {
    const present = platform.keyring.byId.has(keyId);
    const use = uses.get(keyId) ?? { keyId, present, dataKeys: 0, signingKeys: 0, auditSeals: 0 };
    uses.set(keyId, use);
    return use;
  };
  for (const keyId of platform.keyring.byId.keys()) entryOf(keyId);
  const wrapped = await countWrappedKeys(platform.db);
  for (const { keyId, count } of wrapped.dataKeys) entryOf(keyId).dataKeys = count;
  for (const { keyId, count } of wrapped.signingKeys) entryOf(keyId).signingKeys = count;
  for (const { keyId, count } of await countAuditSeals(platform.db)) entryOf(keyId).auditSeals = count;
  return [...uses.values()];
}

export function isNeeded(use: KeyUse): boolean {
  return use.dataKeys + use.signingKeys + use.auditSeals > 0;
}
