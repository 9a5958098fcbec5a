/** Each organization has a data key, which seals its sensitive values. A master key wraps it. */
import { randomBytes } from "node:crypto";
import type { Db } from "./database/connect";
import { insertDataKey, selectDataKey } from "./key-queries";
import { type Keyring, seal, unseal, unwrapKey, wrapKey, type WrappedKey } from "./keyring";
import type { Foundation } from "./platform";

/** Where a value belongs. It opens nowhere else. */
export interface SettingPlace {
  organizationId: string;
  installationId: string;
  name: string;
}

/** Seals a value; base64url. Creates the organization's data key if it has none. */
export async function sealSetting(
  foundation: Foundation,
  tx: Db,
  place: SettingPlace,
  value: string,
): Promise<string> {
  const sealWith = await settingSealer(foundation, tx, place.organizationId);
  return sealWith(place, value);
}

/** Seals many values of one organization; its data key is read once. */
export async function settingSealer(
  { keyring }: Foundation,
  tx: Db,
  organizationId: string,
): Promise<(place: Omit<SettingPlace, "organizationId">, value: string) => string> {
  let row = await selectDataKey(tx, organizationId);
  if (row === undefined) {
    const wrapped = wrapKey(keyring.current, "data-key", organizationId, randomBytes(32));
    await insertDataKey(tx, { organizationId, ...wrapped });
    row = await selectDataKey(tx, organizationId);
  }
  if (row === undefined) throw new Error(`the data key of organization ${organizationId} was not stored`);
  const key = unwrapKey(keyring, "data-key", organizationId, row);
  return (place, value) =>
    seal(key, Buffer.from(value, "utf8"), toContext({ ...place, organizationId })).toString("base64url");
}

/** Throws if the value was sealed for another place, or if its key is missing. */
export async function openSetting(
  { keyring }: Foundation,
  db: Db,
  place: SettingPlace,
  sealed: string,
): Promise<string> {
  const row = await selectDataKey(db, place.organizationId);
  if (row === undefined) throw new Error(`organization ${place.organizationId} has no data key`);
  return openSettingWith(keyring, row, place, sealed);
}

/** For a caller that has already read the organization's data key. */
export function openSettingWith(
  keyring: Keyring,
  row: WrappedKey,
  place: SettingPlace,
  sealed: string,
): string {
  const key = unwrapKey(keyring, "data-key", place.organizationId, row);
  return unseal(key, Buffer.from(sealed, "base64url"), toContext(place)).toString("utf8");
}

function toContext({ organizationId, installationId, name }: SettingPlace): string {
  return JSON.stringify([organizationId, installationId, name]);
}
