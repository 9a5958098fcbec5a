/** The value of `x-PLATFORM-key`. It is encrypted, not stored: opening one takes microseconds and no query. */
import { deriveKey, type Keyring, type MasterKey, seal, unseal } from "./keyring";

const PREFIX = "psk_";
const CONTEXT = "state-key";
const KEY_ID_BYTES = 4;
const PLAIN_BYTES = 64;
/** Key id, iv, tag and 64 bytes of content in base64url, without spare bits, so that each key has one text. */
const ENCODED_LENGTH = Math.ceil(((KEY_ID_BYTES + 12 + 16 + PLAIN_BYTES) * 4) / 3);

/** The longest lifetime, for webhooks and lifecycle hooks. An old master key is needed this long after a rotation. */
export const LONGEST_LIFE_MS = 15 * 60_000;

/** In place of a route, in the key of a configuration check. Its `installationId` is then the check's id. */
export const CHECK_ROUTE = "00000000-0000-0000-0000-000000000000";

export interface StateKeyContent {
  installationId: string;
  routeId: string;
  attemptId: string;
  /** Configuration revision, fixed for the whole call. */
  revision: number;
  /** Key epoch of the installation. Stopping, starting and uninstalling change it. */
  epoch: number;
  expiresAt: Date;
}

export function sealStateKey(keyring: Keyring, content: StateKeyContent): string {
  const plain = Buffer.alloc(PLAIN_BYTES);
  plain.write(content.installationId.replaceAll("-", ""), 0, "hex");
  plain.write(content.routeId.replaceAll("-", ""), 16, "hex");
  plain.write(content.attemptId.replaceAll("-", ""), 32, "hex");
  plain.writeUIntBE(content.expiresAt.getTime(), 48, 6);
  plain.writeUInt32BE(content.revision, 54);
  plain.writeUIntBE(content.epoch, 58, 6);
  const { id, key } = sealingKey(keyring.current);
  return PREFIX + Buffer.concat([id, seal(key, plain, CONTEXT)]).toString("base64url");
}

/** Undefined for any key that isn't valid now: malformed, foreign and expired keys look the same. */
export function openStateKey(keyring: Keyring, text: string, now = Date.now()): StateKeyContent | undefined {
  if (text.length !== PREFIX.length + ENCODED_LENGTH || !text.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(text.slice(PREFIX.length), "base64url");
  for (const master of keyring.byId.values()) {
    const { id, key } = sealingKey(master);
    if (!id.equals(bytes.subarray(0, KEY_ID_BYTES))) continue;
    const content = openWith(key, bytes.subarray(KEY_ID_BYTES));
    return content !== undefined && content.expiresAt.getTime() > now ? content : undefined;
  }
  return undefined;
}

function openWith(key: Buffer, sealed: Buffer): StateKeyContent | undefined {
  let plain: Buffer;
  try {
    plain = unseal(key, sealed, CONTEXT);
  } catch {
    return undefined;
  }
  return {
    installationId: uuidAt(plain, 0),
    routeId: uuidAt(plain, 16),
    attemptId: uuidAt(plain, 32),
    expiresAt: new Date(plain.readUIntBE(48, 6)),
    revision: plain.readUInt32BE(54),
    epoch: plain.readUIntBE(58, 6),
  };
}

function uuidAt(bytes: Buffer, offset: number): string {
  const hex = bytes.toString("hex", offset, offset + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

interface SealingKey {
  id: Buffer;
  key: Buffer;
}

const derived = new WeakMap<MasterKey, SealingKey>();

function sealingKey(master: MasterKey): SealingKey {
  let found = derived.get(master);
  if (found === undefined) {
    found = {
      id: deriveKey(master, "state-key/id").subarray(0, KEY_ID_BYTES),
      key: deriveKey(master, "state-key"),
    };
    derived.set(master, found);
  }
  return found;
}
