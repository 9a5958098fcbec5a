import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { WebhookSecrets } from "@/lib/contract/calls/gateway-answers";
import { unknownKey } from "@/lib/domain/calls/explain-answer";
import { openSettingWith, sealSetting, type SettingPlace } from "../../platform/data-key";
import type { Db } from "../../platform/database/connect";
import { deriveKey } from "../../platform/keyring";
import type { Foundation, Platform } from "../../platform/platform";
import { recordAudit } from "../../platform/record-audit";
import { CHECK_ROUTE, openStateKey } from "../../platform/state-key";
import { insertSecret, type SealedSecret, selectOwner, selectSecrets } from "./webhook-secret-queries";

/**
 * The secrets that sign the webhooks of a state key's installation, for its app. The holder of a live key may read the customer's
 * settings too, so the same keys open both. Throws the same NOT_FOUND as reading the state.
 */
export async function serveWebhookSecrets(platform: Platform, key: string): Promise<WebhookSecrets> {
  const content = openStateKey(platform.keyring, key);
  const state = content && (await platform.services.stateReader.read(content));
  // A check has no webhooks, and perhaps no installation yet.
  if (content === undefined || state === undefined || content.routeId === CHECK_ROUTE) throw unknownKey();
  const rows = await readSecrets(platform, [content.installationId]);
  return { secrets: rows.map((row) => openSecret(platform, row)) };
}

/** Receivers may have known the secrets of earlier releases, one for each master key. */
const FORMER_MS = 24 * 3_600_000;

/** The secrets that sign the installations' webhooks now, each installation's current one first. */
export async function readSecrets(
  foundation: Foundation,
  installationIds: readonly string[],
): Promise<SealedSecret[]> {
  const rows = await selectSecrets(foundation.pool, installationIds);
  const present = new Set(rows.map(({ installationId }) => installationId));
  const missing = installationIds.filter((id) => !present.has(id));
  if (missing.length === 0) return rows;
  for (const id of missing) await storeDerived(foundation, id);
  return selectSecrets(foundation.pool, installationIds);
}

/**
 * For an installation that an earlier release launched: stores the secret that signed its webhooks until now, which was
 * derived from the current master key. Those of other master keys sign for one more day.
 */
async function storeDerived(foundation: Foundation, installationId: string): Promise<void> {
  const { db, keyring } = foundation;
  const organizationId = await selectOwner(db, installationId);
  if (organizationId === undefined) return;
  const place = { organizationId, installationId };
  await db.transaction(async (tx) => {
    for (const master of keyring.byId.values()) {
      const bytes = deriveKey(master, `webhook/${installationId}`);
      const isCurrent = master === keyring.current;
      const expiresAt = isCurrent ? null : new Date(Date.now() + FORMER_MS);
      const stored = await storeSecret(foundation, tx, place, { bytes, expiresAt });
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

const PREFIX = "whsec_";

interface Place {
  organizationId: string;
  installationId: string;
}

/** The prefix keeps it distinct from every setting. */
function placeOf({ organizationId, installationId }: Place, id: string): SettingPlace {
  return { organizationId, installationId, name: `webhook-secret:${id}` };
}

/** Random by default. False if the installation has a current secret already. */
export async function storeSecret(
  foundation: Foundation,
  tx: Db,
  place: Place,
  { bytes = randomBytes(32), expiresAt = null }: { bytes?: Buffer; expiresAt?: Date | null } = {},
): Promise<boolean> {
  const id = v7();
  const sealed = await sealSetting(foundation, tx, placeOf(place, id), writeSecret(bytes));
  return insertSecret(tx, { id, installationId: place.installationId, sealed, expiresAt });
}

/** Throws if it was sealed for another row or organization. */
export function openSecret({ keyring }: Foundation, row: SealedSecret): string {
  return openSettingWith(keyring, row, placeOf(row, row.id), row.sealed);
}

/** The form in which Standard Webhooks libraries take a secret. */
function writeSecret(bytes: Buffer): string {
  return `${PREFIX}${bytes.toString("base64")}`;
}

export function readSecretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}
