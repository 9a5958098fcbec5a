import { Problem } from "@/lib/contract/problem";
import type { StateRecord } from "@/lib/contract/state-record";
import { mayReadState } from "@/lib/domain/installation";
import { openSettingWith } from "../keys/data-key";
import { signToken } from "../keys/sign-token";
import { openStateKey, type StateKeyContent } from "../keys/state-key";
import type { Platform } from "../platform/platform";
import { selectState, type StateRow } from "./queries";
import { noteStateRead } from "./record-state-reads";

/**
 * The state behind a key: one customer's settings, mappings, addresses and a token for this call.
 * Throws NOT_FOUND, always the same, for a key that is malformed, foreign, expired or revoked.
 */
export async function readState(platform: Platform, key: string): Promise<StateRecord> {
  const content = openStateKey(platform.keyring, key);
  if (content === undefined) throw unknownKey();
  const row = await selectState(platform.pool, content);
  if (row === undefined || !mayReadState(row.state, row.kind)) throw unknownKey();
  const record = {
    settings: openSettings(platform, row, content.installationId),
    mappings: mappingsOf(row),
    coreApiUrl: row.coreApiUrl,
    tenantHostName: row.tenantHostName,
    token: await tokenFor(platform, row, content),
  };
  noteStateRead(platform, content);
  return record;
}

function unknownKey(): Problem {
  return new Problem(
    "NOT_FOUND",
    "No state belongs to this key. Use the x-PLATFORM-key of the request that you serve, while you serve it.",
  );
}

function openSettings(platform: Platform, row: StateRow, installationId: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, stored] of Object.entries(row.settings)) {
    if (stored.kind === "plain") {
      settings[name] = stored.value;
      continue;
    }
    // Removed from a revision that no live key reads any more.
    if (stored.kind === "gone") continue;
    if (row.wrapped === null || row.masterKeyId === null)
      throw new Error(`installation ${installationId} has no data key`);
    const place = { organizationId: row.organizationId, installationId, name };
    settings[name] = openSettingWith(
      platform.keyring,
      { wrapped: row.wrapped, masterKeyId: row.masterKeyId },
      place,
      stored.sealed,
    );
  }
  return settings;
}

/** One entry a product that the tenant has now; a product that came after the launch has no fields yet. */
function mappingsOf(row: StateRow): StateRecord["mappings"] {
  const mapped = new Map(row.mappings.map((mapping) => [mapping.productName, mapping.fields]));
  return (row.productNames ?? []).map((productName) => ({
    productName,
    fields: mapped.get(productName) ?? {},
  }));
}

function tokenFor(platform: Platform, row: StateRow, content: StateKeyContent): Promise<string> {
  return signToken(platform, {
    audience: row.coreApiUrl,
    organization: row.organizationSlug,
    tenant: row.tenantHostName,
    subject: content.installationId,
    tokenId: content.attemptId,
  });
}
