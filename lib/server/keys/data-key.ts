/** Each organization has a data key of its own, wrapped by a master key that is not in the database. */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "../database/connect";
import type { Platform } from "../platform";
import { deriveKey, seal, unseal, type Keyring, type MasterKey } from "./keyring";
import { insertDataKey, selectDataKey, type DataKeyRow } from "./queries";

export interface SettingPlace {
  organizationId: string;
  installationId: string;
  name: string;
}

/** Unwrapped keys, by the wrapped form, so that another row never finds this one's key. */
const unwrapped = new LRUCache<string, Buffer>({ max: 1000 });

/** Seals a sensitive value for its one place; base64url. Makes the organization's data key when it has none. */
export async function sealSetting(
  platform: Platform,
  tx: Db,
  place: SettingPlace,
  value: string,
): Promise<string> {
  const key = await dataKeyOf(platform, tx, place.organizationId);
  return seal(key, Buffer.from(value, "utf8"), contextOf(place)).toString("base64url");
}

/** Throws when the value was sealed for another place, or with a key that is gone. */
export async function openSetting(
  platform: Platform,
  db: Db,
  place: SettingPlace,
  sealed: string,
): Promise<string> {
  const row = await selectDataKey(db, place.organizationId);
  if (row === undefined) throw new Error(`organization ${place.organizationId} has no data key`);
  return openSettingWith(platform.keyring, row, place, sealed);
}

/** The same for a caller that already read the organization's data key. */
export function openSettingWith(
  keyring: Keyring,
  row: Pick<DataKeyRow, "wrapped" | "masterKeyId">,
  place: SettingPlace,
  sealed: string,
): string {
  return unseal(
    unwrap(keyring, row, place.organizationId),
    Buffer.from(sealed, "base64url"),
    contextOf(place),
  ).toString("utf8");
}

async function dataKeyOf(platform: Platform, tx: Db, organizationId: string): Promise<Buffer> {
  const existing = await selectDataKey(tx, organizationId);
  if (existing !== undefined) return unwrap(platform.keyring, existing, organizationId);
  const { current } = platform.keyring;
  const wrapped = seal(wrappingKey(current), randomBytes(32), organizationId).toString("base64url");
  await insertDataKey(tx, { organizationId, wrapped, masterKeyId: current.id });
  const row = await selectDataKey(tx, organizationId);
  if (row === undefined) throw new Error(`the data key of organization ${organizationId} was not stored`);
  return unwrap(platform.keyring, row, organizationId);
}

function unwrap(
  keyring: Keyring,
  row: Pick<DataKeyRow, "wrapped" | "masterKeyId">,
  organizationId: string,
): Buffer {
  const cacheKey = `${organizationId}/${row.masterKeyId}/${row.wrapped}`;
  const cached = unwrapped.get(cacheKey);
  if (cached !== undefined) return cached;
  const master = keyring.byId.get(row.masterKeyId);
  if (master === undefined)
    throw new Error(`PLATFORM_MASTER_KEYS lacks the key '${row.masterKeyId}' that wraps a data key`);
  const key = unseal(wrappingKey(master), Buffer.from(row.wrapped, "base64url"), organizationId);
  unwrapped.set(cacheKey, key);
  return key;
}

function wrappingKey(master: MasterKey): Buffer {
  return deriveKey(master, "data-key");
}

function contextOf(place: SettingPlace): string {
  return JSON.stringify([place.organizationId, place.installationId, place.name]);
}
