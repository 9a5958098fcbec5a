/**
 * What the database stores wrapped by a master key, which is never in the database: keys, and emails that wait to be sent. Rotating
 * master keys wraps them again; whatever those keys encrypted or sealed stays as it is.
 */
import { LRUCache } from "lru-cache";
import { deriveKey, seal, unseal, type Keyring, type MasterKey } from "../platform/keyring";

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
    throw new Error(
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
