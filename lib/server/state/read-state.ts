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
 * The state behind a key: one customer's settings, mappings, addresses and a token for this call. Throws the same NOT_FOUND
 * for a malformed, foreign, expired or revoked key.
 */
export async function readState(platform: Platform, key: string): Promise<StateRecord> {
  const content = openStateKey(platform.keyring, key);
  if (content === undefined) throw unknownKey();
  const row = await selectState(platform.pool, content);
  if (row === undefined || !mayReadState(row.state, row.kind)) throw unknownKey();
  const record = {
    settings: openSettings(platform, row, content.installationId),
    mappings: listMappings(row),
    coreApiUrl: row.coreApiUrl,
    tenantHostName: row.tenantHostName,
    token: await signCallToken(platform, row, content),
  };
  noteStateRead(platform, content);
  return record;
}

function unknownKey(): Problem {
  return new Problem(
    "NOT_FOUND",
    "This key has no state. Use the x-PLATFORM-key of the current request, and only while you handle that request.",
  );
}

function openSettings(platform: Platform, row: StateRow, installationId: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const [name, stored] of Object.entries(row.settings)) {
    if (stored.kind === "plain") {
      settings[name] = stored.value;
      continue;
    }
    // Scrubbed: no live key reads this revision anymore.
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

/** One entry for each current product of the tenant. A product added after the launch has no fields yet. */
function listMappings(row: StateRow): StateRecord["mappings"] {
  const mapped = new Map(row.mappings.map((mapping) => [mapping.productName, mapping.fields]));
  return (row.productNames ?? []).map((productName) => ({
    productName,
    fields: mapped.get(productName) ?? {},
  }));
}

function signCallToken(platform: Platform, row: StateRow, content: StateKeyContent): Promise<string> {
  return signToken(platform, {
    audience: row.coreApiUrl,
    organization: row.organizationSlug,
    tenant: row.tenantHostName,
    subject: content.installationId,
    tokenId: content.attemptId,
  });
}
