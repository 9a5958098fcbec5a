import { createHash, randomBytes } from "node:crypto";

const COUNT = 10;
const BYTES = 10;
/** RFC 4648, without digits that look like letters. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

export interface NewRecoveryCodes {
  /** As they are shown, once: `abcd-efgh-2345-ijkl`. */
  codes: string[];
  hashes: string[];
}

/** 80 random bits each, so that a plain hash is enough. */
export function createRecoveryCodes(): NewRecoveryCodes {
  const plain = Array.from({ length: COUNT }, () => toBase32(randomBytes(BYTES)));
  return {
    codes: plain.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-")),
    hashes: plain.map(hashRecoveryCode),
  };
}

/** `code`: without dashes, in lower case. */
export function hashRecoveryCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bits.replaceAll(/.{5}/g, (five) => ALPHABET.charAt(Number.parseInt(five, 2)));
}
