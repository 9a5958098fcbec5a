import { randomBytes } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import { searchText } from "../database/search";
import type { Platform } from "../platform/platform";
import { hashApiKey } from "./authenticate-api-key";
import { insertApiKey, revokeApiKeyRow, selectApiKeys, type ApiKeyRow } from "./queries";

interface NewApiKey {
  apiKeyId: string;
  name: string;
  clientId: string;
  /** Shown only this once; the database stores its hash. */
  apiKey: string;
}

/** Creates a key for `platform-app` to publish for the member's organization. */
export async function createApiKey(platform: Platform, member: Member, name: string): Promise<NewApiKey> {
  const organizationId = member.organization.id;
  const clientId = `pci_${randomBytes(12).toString("base64url")}`;
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  const keyHash = hashApiKey(apiKey);
  return platform.db.transaction(async (tx) => {
    const apiKeyId = await insertApiKey(tx, {
      organizationId,
      name,
      clientId,
      keyHash,
      createdBy: member.userId,
    });
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.create",
      subject: `api-key:${apiKeyId}`,
      details: { name, clientId },
    });
    return { apiKeyId, name, clientId, apiKey };
  });
}

/** Takes effect at once. NOT_FOUND if the key is foreign, missing or already revoked. */
export async function revokeApiKey(platform: Platform, member: Member, apiKeyId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await revokeApiKeyRow(tx, organizationId, apiKeyId)))
      throw new Problem(
        "NOT_FOUND",
        "Your organization has no active API key with this id. Reload the list.",
      );
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.revoke",
      subject: `api-key:${apiKeyId}`,
    });
  });
}

const PAGE = 50;

/** The organization's keys, newest first, without hashes. `after`: last id of the previous page. */
export async function listApiKeys(
  platform: Platform,
  member: Member,
  query: { search?: string; after?: string },
) {
  const rows = await selectApiKeys(platform.db, member.organization.id, {
    search: searchText(query.search),
    after: query.after,
    limit: PAGE + 1,
  });
  const apiKeys: ApiKeyRow[] = rows.slice(0, PAGE);
  return { apiKeys, next: rows.length > PAGE ? apiKeys.at(-1)?.id : undefined };
}
