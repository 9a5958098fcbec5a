import { createHash } from "node:crypto";

/** Keys are 256 random bits, so a plain hash is as good as a slow one. Hex, as `api_keys.key_hash` holds it. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
