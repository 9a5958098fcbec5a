import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Publisher } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { selectApiKey, touchApiKey } from "./queries";

/** A publisher authenticated by an API key. `whoami` returns the names. */
export interface KeyHolder extends Publisher {
  organizationName: string;
  apiKeyName: string;
}

const MAX_HEADER_LENGTH = 1024;
const NO_KEY = "0".repeat(64);

/**
 * Authenticates the header `Basic <base64 of clientId:apiKey>`. Missing, malformed, unknown, wrong and revoked keys look
 * the same: `WRONG_CREDENTIALS`.
 */
export async function authenticateApiKey(platform: Platform, header: string | undefined): Promise<KeyHolder> {
  const { clientId, key } = readBasic(header);
  const row = clientId === "" ? undefined : await selectApiKey(platform.db, clientId);
  const matches = timingSafeEqual(
    Buffer.from(hashApiKey(key), "hex"),
    Buffer.from(row?.keyHash ?? NO_KEY, "hex"),
  );
  if (row === undefined || !matches || row.revokedAt !== null) {
    const detail =
      "The client ID or API key is wrong, or the key was revoked. Run `platform-app login` with a key from Organization → API keys.";
    throw new Problem("WRONG_CREDENTIALS", detail);
  }
  await touchApiKey(platform.db, row.id);
  return {
    organizationId: row.organizationId,
    organizationSlug: row.organizationSlug,
    organizationName: row.organizationName,
    apiKeyName: row.name,
    actor: `api-key:${row.id}`,
    apiKeyId: row.id,
  };
}

function readBasic(header: string | undefined): { clientId: string; key: string } {
  const encoded =
    header !== undefined && header.length <= MAX_HEADER_LENGTH
      ? /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header)?.[1]
      : undefined;
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  // PostgreSQL can't compare with a NUL character.
  if (colon < 1 || text.includes("\0")) return { clientId: "", key: "" };
  return { clientId: text.slice(0, colon), key: text.slice(colon + 1) };
}

/** Hex. Keys are 256 random bits, so a fast hash is as good as a slow one. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
