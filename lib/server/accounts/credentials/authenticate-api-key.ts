import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKeyScope } from "@/lib/contract/accounts/api-key-scope";
import { Problem } from "@/lib/contract/platform/problem";
import type { KeyAgent, Publisher } from "@/lib/domain/platform/actor";
import { createUseNotes, type UseNotes } from "../../platform/note-uses";
import type { Foundation, Platform } from "../../platform/platform";
import { selectApiKey, touchApiKeys } from "./api-key-queries";

/** A publisher authenticated by an API key. `whoami` returns the names. */
export interface KeyHolder extends Publisher {
  organizationName: string;
  apiKeyId: string;
  apiKeyName: string;
  /** Who created it. */
  userId: string;
  scopes: readonly ApiKeyScope[];
}

const MAX_HEADER_LENGTH = 1024;
const NO_KEY = "0".repeat(64);

declare module "../../platform/platform" {
  interface Services {
    /** With the networks that they were used from. */
    apiKeyUses: UseNotes<string>;
  }
}

export function createApiKeyUses(foundation: Foundation): UseNotes<string> {
  return createUseNotes(foundation, "API keys", touchApiKeys);
}

/**
 * Authenticates the header `Basic <base64 of clientId:apiKey>` for a request that needs `scope`, if it needs one. Missing,
 * malformed, unknown, wrong, expired and revoked keys look the same: WRONG_CREDENTIALS. Throws NOT_ALLOWED for a key without
 * the scope. Notes the use. @param network where the request comes from
 */
export async function authenticateApiKey(
  platform: Platform,
  header: string | undefined,
  { scope, network }: { scope?: ApiKeyScope; network: string },
): Promise<KeyHolder> {
  const holder = await identifyApiKey(platform, header);
  platform.services.apiKeyUses.note(holder.apiKeyId, network);
  if (scope !== undefined && !holder.scopes.includes(scope))
    throw new Problem(
      "NOT_ALLOWED",
      `The API key “${holder.apiKeyName}” does not have the scope ${scope}. Create a key with this scope in Publish apps → API keys, then log in with it.`,
    );
  return holder;
}

/** The same for requests that are only counted: it requires no scope and notes no use. */
export async function identifyApiKey(platform: Platform, header: string | undefined): Promise<KeyHolder> {
  const { clientId, key } = readBasic(header);
  const row = clientId === "" ? undefined : await selectApiKey(platform.db, clientId);
  const matches = timingSafeEqual(
    Buffer.from(hashApiKey(key), "hex"),
    Buffer.from(row?.keyHash ?? NO_KEY, "hex"),
  );
  if (row === undefined || !matches || !row.works) {
    const detail =
      "The client ID or API key is wrong, or the key has expired or was revoked. Run `platform-app login` with a key from Publish apps → API keys.";
    throw new Problem("WRONG_CREDENTIALS", detail);
  }
  return {
    organizationId: row.organizationId,
    organizationSlug: row.organizationSlug,
    organizationName: row.organizationName,
    apiKeyName: row.name,
    scopes: row.scopes,
    actor: `api-key:${row.id}`,
    apiKeyId: row.id,
    userId: row.createdBy,
  };
}

/** For verbs that members use too. */
export function toAgent({ apiKeyId, userId, ...holder }: KeyHolder): KeyAgent {
  const { organizationId: id, organizationSlug: slug, organizationName: name } = holder;
  return { apiKeyId, userId, organization: { id, slug, name, role: "publisher" } };
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
