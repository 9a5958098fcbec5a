/** Each organization has a data key of its own, wrapped by a master key that is not in the database. */
import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { deriveKey, seal, unseal, type Keyring, type MasterKey } from "../platform/keyring";
import { insertDataKey, selectDataKey, type DataKeyRow } from "./queries";

export interface SettingPlace {
  organizationId: string;
  installationId: string;
  name: string;
}

export type WrappedDataKey = Pick<DataKeyRow, "organizationId" | "wrapped" | "masterKeyId">;

/** Unwrapped keys, by the master key and the wrapped form, so that neither another row nor another ring finds this one's. */
const unwrapped = new WeakMap<MasterKey, LRUCache<string, Buffer>>();

/** Seals a sensitive value for its one place; base64url. Makes the organization's data key when it has none. */
export async function sealSetting(
  platform: Platform,
  tx: Db,
  place: SettingPlace,
  value: string,
): Promise<string> {
  const sealWith = await settingSealer(platform, tx, place.organizationId);
  return sealWith(place, value);
}

/** The same for many values of one organization, whose data key is read once. */
export async function settingSealer(
  platform: Platform,
  tx: Db,
  organizationId: string,
): Promise<(place: Omit<SettingPlace, "organizationId">, value: string) => string> {
  const key = await dataKeyOf(platform, tx, organizationId);
  return (place, value) =>
    seal(key, Buffer.from(value, "utf8"), contextOf({ ...place, organizationId })).toString("base64url");
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

/** The same data key, wrapped by the current master key: what it has sealed stays as it is. Throws as opening does. */
export function rewrapDataKey(keyring: Keyring, row: WrappedDataKey): WrappedDataKey {
  return wrap(keyring.current, unwrap(keyring, row, row.organizationId), row.organizationId);
}

async function dataKeyOf(platform: Platform, tx: Db, organizationId: string): Promise<Buffer> {
  const existing = await selectDataKey(tx, organizationId);
  if (existing !== undefined) return unwrap(platform.keyring, existing, organizationId);
  await insertDataKey(tx, wrap(platform.keyring.current, randomBytes(32), organizationId));
  const row = await selectDataKey(tx, organizationId);
  if (row === undefined) throw new Error(`the data key of organization ${organizationId} was not stored`);
  return unwrap(platform.keyring, row, organizationId);
}

function wrap(master: MasterKey, key: Buffer, organizationId: string): WrappedDataKey {
  const wrapped = seal(wrappingKey(master), key, organizationId).toString("base64url");
  return { organizationId, wrapped, masterKeyId: master.id };
}

function unwrap(
  keyring: Keyring,
  row: Pick<DataKeyRow, "wrapped" | "masterKeyId">,
  organizationId: string,
): Buffer {
  const master = keyring.byId.get(row.masterKeyId);
  if (master === undefined)
    throw new Error(`PLATFORM_MASTER_KEYS lacks the key '${row.masterKeyId}' that wraps a data key`);
  const known = cacheOf(master);
  const cacheKey = `${organizationId}/${row.wrapped}`;
  const cached = known.get(cacheKey);
  if (cached !== undefined) return cached;
  const key = unseal(wrappingKey(master), Buffer.from(row.wrapped, "base64url"), organizationId);
  known.set(cacheKey, key);
  return key;
}

function cacheOf(master: MasterKey): LRUCache<string, Buffer> {
  let known = unwrapped.get(master);
  if (known === undefined) {
    known = new LRUCache({ max: 1000 });
    unwrapped.set(master, known);
  }
  return known;
}

function wrappingKey(master: MasterKey): Buffer {
  return deriveKey(master, "data-key");
}

function contextOf(place: SettingPlace): string {
  return JSON.stringify([place.organizationId, place.installationId, place.name]);
}
