import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import type { Publisher } from "@/lib/domain/actor";
import { selectApiKey, touchApiKey } from "./queries";

/** A publisher that came with an API key; the names are what `whoami` shows. */
export interface KeyHolder extends Publisher {
  organizationName: string;
  apiKeyName: string;
}

const LONGEST_HEADER = 1024;
const NO_KEY = "0".repeat(64);

/**
 * Who the header `Basic <base64 of clientId:apiKey>` stands for. Absent, malformed, unknown, wrong and revoked look
 * the same: `WRONG_CREDENTIALS`.
 */
export async function authenticateApiKey(platform: Platform, header: string | undefined): Promise<KeyHolder> {
  const { clientId, key } = readBasic(header);
  const row = clientId === "" ? undefined : await selectApiKey(platform.db, clientId);
  const fits = timingSafeEqual(
    Buffer.from(hashApiKey(key), "hex"),
    Buffer.from(row?.keyHash ?? NO_KEY, "hex"),
  );
  if (row === undefined || !fits || row.revokedAt !== null) {
    const detail =
      "The Client ID or the API Key is wrong, or the key was revoked. Run `platform-app login` with a key from Organization → API Keys.";
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
    header !== undefined && header.length <= LONGEST_HEADER
      ? /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header)?.[1]
      : undefined;
  const text = Buffer.from(encoded ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  // PostgreSQL cannot compare with a NUL character.
  if (colon < 1 || text.includes("\0")) return { clientId: "", key: "" };
  return { clientId: text.slice(0, colon), key: text.slice(colon + 1) };
}

/** Keys are 256 random bits, so a plain hash is as good as a slow one. Hex, as `api_keys.key_hash` holds it. */
export function hashApiKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
