import { createHash, randomBytes } from "node:crypto";
import type { Member } from "@/lib/domain/actor";
import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { type ApiKeyRow, insertApiKey, revokeApiKeyRow, selectApiKeys } from "./queries";
import { Problem } from "@/lib/contract/problem";
import { searchText } from "../database/search";

interface NewApiKey {
  apiKeyId: string;
  name: string;
  clientId: string;
  /** Shown this once: only its hash is kept. */
  apiKey: string;
}

/** A key with which `platform-app` publishes for the member's organization. */
export async function createApiKey(platform: Platform, member: Member, name: string): Promise<NewApiKey> {
  const organizationId = member.organization.id;
  const clientId = `pci_${randomBytes(12).toString("base64url")}`;
  const apiKey = `pak_${randomBytes(32).toString("base64url")}`;
  const keyHash = createHash("sha256").update(apiKey).digest("hex");
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

/** Ends a key at once. Foreign, absent and revoked before: NOT_FOUND. */
export async function revokeApiKey(platform: Platform, member: Member, apiKeyId: string): Promise<void> {
  const organizationId = member.organization.id;
  await platform.db.transaction(async (tx) => {
    if (!(await revokeApiKeyRow(tx, organizationId, apiKeyId))) {
      throw new Problem("NOT_FOUND", "There is no such live API Key in your organization. Reload the list.");
    }
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${member.userId}`,
      action: "api-key.revoke",
      subject: `api-key:${apiKeyId}`,
    });
  });
}

const PAGE = 50;

/** The organization's keys, newest first, without anything that could open them. `after`: the last id of the page before. */
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
