/** An installation's webhook secrets, sealed for their row and its organization. */
import { randomBytes } from "node:crypto";
import { v7 } from "uuid";
import type { Db } from "../database/connect";
import { openSettingWith, sealSetting, type SettingPlace } from "../keys/data-key";
import type { Platform } from "../platform/platform";
import { insertSecret, type SealedSecret } from "./queries";

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
  platform: Platform,
  tx: Db,
  place: Place,
  { bytes = randomBytes(32), expiresAt = null }: { bytes?: Buffer; expiresAt?: Date | null } = {},
): Promise<boolean> {
  const id = v7();
  const sealed = await sealSetting(platform, tx, placeOf(place, id), writeSecret(bytes));
  return insertSecret(tx, { id, installationId: place.installationId, sealed, expiresAt });
}

/** Throws if it was sealed for another row or organization. */
export function openSecret({ keyring }: Platform, row: SealedSecret): string {
  return openSettingWith(keyring, row, placeOf(row, row.id), row.sealed);
}

/** The form in which Standard Webhooks libraries take a secret. */
function writeSecret(bytes: Buffer): string {
  return `${PREFIX}${bytes.toString("base64")}`;
}

export function readSecretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), "base64");
}
