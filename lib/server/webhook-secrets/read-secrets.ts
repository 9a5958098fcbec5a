import { recordAudit } from "../audit/record-audit";
import { deriveKey } from "../platform/keyring";
import type { Platform } from "../platform/platform";
import { selectOwner, selectSecrets, type SealedSecret } from "./queries";
import { storeSecret } from "./store-secret";

/** Receivers may have known the secrets of earlier releases, one for each master key. */
const FORMER_MS = 24 * 3_600_000;

/** The secrets that sign the installations' webhooks now, each installation's current one first. */
export async function readSecrets(
  platform: Platform,
  installationIds: readonly string[],
): Promise<SealedSecret[]> {
  const rows = await selectSecrets(platform.pool, installationIds);
  const present = new Set(rows.map(({ installationId }) => installationId));
  const missing = installationIds.filter((id) => !present.has(id));
  if (missing.length === 0) return rows;
  for (const id of missing) await storeDerived(platform, id);
  return selectSecrets(platform.pool, installationIds);
}

/**
 * For an installation that an earlier release launched: stores the secret that signed its webhooks until now, which was
 * derived from the current master key. Those of other master keys sign for one more day.
 */
async function storeDerived(platform: Platform, installationId: string): Promise<void> {
  const { db, keyring } = platform;
  const organizationId = await selectOwner(db, installationId);
  if (organizationId === undefined) return;
  const place = { organizationId, installationId };
  await db.transaction(async (tx) => {
    for (const master of keyring.byId.values()) {
      const bytes = deriveKey(master, `webhook/${installationId}`);
      const isCurrent = master === keyring.current;
      const expiresAt = isCurrent ? null : new Date(Date.now() + FORMER_MS);
      const stored = await storeSecret(platform, tx, place, { bytes, expiresAt });
      // Another process was first. The current key comes first, so nothing else is stored either.
      if (isCurrent && !stored) return;
    }
    await recordAudit(tx, keyring, {
      chain: organizationId,
      actor: "platform",
      action: "webhook-secret.store",
      subject: `installation:${installationId}`,
      details: {},
    });
  });
}
