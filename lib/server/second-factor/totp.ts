import { Secret, TOTP } from "otpauth";
import { unwrapKey, wrapKey, type WrappedKey } from "../keys/wrapped-key";
import type { Keyring } from "../platform/keyring";

const ISSUER = "App Hosting Platform";
const SECRET_BYTES = 20;

/** As authenticator apps have it: SHA-1, 6 digits, 30 seconds. */
function createTotp(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: 30 });
}

export interface NewSecret {
  sealed: WrappedKey;
  /** Base32. */
  secret: string;
  /** `otpauth://totp/…`, for a QR code. */
  uri: string;
}

/** `label`: names the account in the app. */
export function createSecret(keyring: Keyring, userId: string, label: string): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = wrapKey(keyring.current, "second-factor", userId, Buffer.from(secret.bytes));
  return { sealed, secret: secret.base32, uri: createTotp(secret, label).toString() };
}

/**
 * The time step that the code belongs to, undefined for a wrong code. Clocks may be half a minute apart.
 */
export function findStep(
  keyring: Keyring,
  userId: string,
  row: WrappedKey,
  code: string,
  now = Date.now(),
): number | undefined {
  const key = unwrapKey(keyring, "second-factor", userId, row);
  const totp = createTotp(new Secret({ buffer: new Uint8Array(key).buffer }), "");
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta;
}
