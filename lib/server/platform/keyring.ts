/** Master keys and what is derived from them. Nothing here is stored in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

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

/** Source: `PLATFORM_MASTER_KEYS`, `<id>:<base64url of 32 bytes>`, comma-separated, the current one first. */
export function readKeyring(text: string): Keyring {
  const keys = text.split(",").map((part) => {
    const [id, encoded] = part.trim().split(":");
    const key = Buffer.from(encoded ?? "", "base64url");
    if (!id || key.length !== 32) {
      throw new Error(
        "PLATFORM_MASTER_KEYS: each key must be <id>:<base64url of 32 bytes>, separated by commas.",
      );
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
