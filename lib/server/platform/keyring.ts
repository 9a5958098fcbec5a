/** Master keys and what is derived from them. Of these, the database has only fingerprints. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface MasterKey {
  id: string;
  key: Buffer;
}

export interface Keyring {
  /** Encrypts. */
  current: MasterKey;
  /** Decrypt. */
  byId: ReadonlyMap<string, MasterKey>;
}

/** Completes "each key must be". */
export const KEY_FORMAT =
  "<id>:<base64url of 32 bytes>, separated by commas. docs/keys.md says how to create one.";

/** Source: `PLATFORM_MASTER_KEYS`, `<id>:<base64url of 32 bytes>`, comma-separated, the current one first. */
export function readKeyring(text: string): Keyring {
  const keys = text.split(",").map((part) => {
    const [id, encoded] = part.trim().split(":");
    const key = Buffer.from(encoded ?? "", "base64url");
    if (!id || key.length !== 32) {
      throw new Error(`PLATFORM_MASTER_KEYS: each key must be ${KEY_FORMAT}`);
    }
    return { id, key };
  });
  const [current] = keys;
  if (current === undefined) throw new Error("PLATFORM_MASTER_KEYS contains no key.");
  const byId = new Map(keys.map((key) => [key.id, key]));
  // With two keys of one id, data encrypted with one would be decrypted with the other.
  if (byId.size < keys.length) throw new Error("PLATFORM_MASTER_KEYS: each key must have a different id.");
  return { current, byId };
}

export function newMasterKey(id: string): string {
  return `${id}:${randomBytes(32).toString("base64url")}`;
}

/** Derives 32 bytes for one purpose (HKDF-SHA-256). */
export function deriveKey(master: MasterKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", master.key, "", `app-hosting-platform/${purpose}`, 32));
}

/** Tells master keys apart, and reveals nothing of them. */
export function fingerprint(master: MasterKey): string {
  return deriveKey(master, "backup-fingerprint").toString("hex").slice(0, 16);
}

/** How a running part reports a key. Also tells apart two values under one id, before the first thing is wrapped with either. */
export function describeMasterKey(master: MasterKey): string {
  return `${master.id}:${fingerprint(master)}`;
}

/** AES-256-GCM; iv ‖ tag ‖ ciphertext. Opens only with the same `context`. */
export function seal(key: Buffer, plain: Buffer, context: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Throws if the bytes, the key or the context differ. */
export function unseal(key: Buffer, sealed: Buffer, context: string): Buffer {
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/**
 * What the database stores wrapped by a master key, which is never in the database: keys, and emails that wait to be sent. Rotating
 * master keys wraps them again; whatever those keys encrypted or sealed stays as it is.
 */
export const KEY_PURPOSES = ["data-key", "signing-key", "audit-key", "second-factor", "mail"] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

export interface WrappedKey {
  /** Base64url of iv ‖ tag ‖ ciphertext. */
  wrapped: string;
  masterKeyId: string;
}

export const KEY_NOUNS = {
  "data-key": "data key",
  "signing-key": "signing key",
  "audit-key": "audit key",
  "second-factor": "second factor",
  mail: "waiting mail",
} as const satisfies Record<KeyPurpose, string>;

/** Opens only for the same purpose and id, so a wrapped key can't be moved to another row or table. */
export function wrapKey(master: MasterKey, purpose: KeyPurpose, id: string, key: Buffer): WrappedKey {
  return { wrapped: seal(deriveKey(master, purpose), key, id).toString("base64url"), masterKeyId: master.id };
}

/** `PLATFORM_MASTER_KEYS` lacks a key. That says nothing about the row that it wraps. */
export class MissingMasterKeyError extends Error {}

/** Unwrapped keys, by master key and wrapped form, so that no other row and no other keyring finds them. */
const unwrapped = new WeakMap<MasterKey, LRUCache<string, Buffer>>();

/** Throws if the master key is missing, or if the row was changed. */
export function unwrapKey(keyring: Keyring, purpose: KeyPurpose, id: string, row: WrappedKey): Buffer {
  const master = findMaster(keyring, purpose, id, row);
  const cache = cacheFor(master);
  const cacheKey = `${purpose}/${id}/${row.wrapped}`;
  const cached = cache.get(cacheKey);
  if (cached !== undefined) return cached;
  const key = open(master, purpose, id, row.wrapped);
  cache.set(cacheKey, key);
  return key;
}

/** As `unwrapKey`, for what is opened once: nothing of it stays in memory. */
export function unwrapOnce(keyring: Keyring, purpose: KeyPurpose, id: string, row: WrappedKey): Buffer {
  return open(findMaster(keyring, purpose, id, row), purpose, id, row.wrapped);
}

function findMaster(
  keyring: Keyring,
  purpose: KeyPurpose,
  id: string,
  { masterKeyId }: WrappedKey,
): MasterKey {
  const master = keyring.byId.get(masterKeyId);
  if (master === undefined)
    throw new MissingMasterKeyError(
      `PLATFORM_MASTER_KEYS lacks the key '${masterKeyId}' that wraps the ${KEY_NOUNS[purpose]} ${id}`,
    );
  return master;
}

function open(master: MasterKey, purpose: KeyPurpose, id: string, wrapped: string): Buffer {
  try {
    return unseal(deriveKey(master, purpose), Buffer.from(wrapped, "base64url"), id);
  } catch (error) {
    const message = `the ${KEY_NOUNS[purpose]} ${id} does not open with the master key '${master.id}'`;
    throw new Error(message, { cause: error });
  }
}

function cacheFor(master: MasterKey): LRUCache<string, Buffer> {
  let cache = unwrapped.get(master);
  if (cache === undefined) {
    cache = new LRUCache({ max: 10_000 });
    unwrapped.set(master, cache);
  }
  return cache;
}
