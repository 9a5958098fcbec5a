import type { StateRecord } from "@/lib/contract/state-record";
import { mayReadState } from "@/lib/domain/installation";
import { unknownKey } from "@/lib/domain/unknown-key";
import { createGroups } from "../database/groups";
import { openSettingWith } from "../keys/data-key";
import { signToken } from "../keys/sign-token";
import { CHECK_ROUTE, openStateKey, type StateKeyContent } from "../keys/state-key";
import { withOwnPool, type Platform } from "../platform/platform";
import { selectCheckState, selectStates, type RecordRow } from "./queries";
import { noteStateRead } from "./record-state-reads";

/**
 * The state behind a key, as it is now: one customer's settings, mappings, addresses and a token for this call. Throws the
 * same NOT_FOUND for a malformed, foreign, expired or revoked key.
 */
export async function readState(platform: Platform, key: string): Promise<StateRecord> {
  const content = openStateKey(platform.keyring, key);
  const record = content && (await readOpened(platform, content));
  if (content === undefined || record === undefined) throw unknownKey();
  noteStateRead(platform, content);
  return record;
}

/**
 * Two statements at once: while one is under way, the answers of the other are built. Their size also bounds for how long one
 * keeps the process from other requests: below 10 ms.
 */
const GROUPS = { lanes: 2, items: 64 };

type ReadOpened = (content: StateKeyContent) => Promise<StateRecord | undefined>;

const readers = new WeakMap<Platform, ReadOpened>();

/**
 * The state behind an opened key; undefined if the key is revoked. Reads at the same time share statements, on connections
 * of their own: they never wait behind calls and uploads.
 */
export function readOpened(platform: Platform, content: StateKeyContent): Promise<StateRecord | undefined> {
  let read = readers.get(platform);
  if (read === undefined) {
    read = createReader(platform);
    readers.set(platform, read);
  }
  return read(content);
}

function createReader(platform: Platform): ReadOpened {
  // Planned once: PostgreSQL would plan each small batch again, which takes ten times as long as running it.
  const options = "-c plan_cache_mode=force_generic_plan";
  const { pool } = withOwnPool(platform, { max: GROUPS.lanes, options, allowExitOnIdle: true });
  const groups = createGroups(GROUPS, async (contents: StateKeyContent[]) => {
    const rows = await selectStates(pool, contents);
    // An installation whose secrets do not open fails no other customer's read.
    return Promise.allSettled(
      contents.map(async (content, index) => {
        const row = rows.get(index);
        return row !== undefined && mayReadState(row.state, row.kind)
          ? toRecord(platform, content, row)
          : undefined;
      }),
    );
  });
  return async (content) => {
    if (content.routeId === CHECK_ROUTE) {
      const row = await selectCheckState(pool, content.installationId);
      return row && toRecord(platform, content, row);
    }
    const outcome = await groups.add(content.installationId, content);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  };
}

async function toRecord(platform: Platform, content: StateKeyContent, row: RecordRow): Promise<StateRecord> {
  return {
    settings: openSettings(platform, row, content.installationId),
    mappings: listMappings(row),
    coreApiUrl: row.coreApiUrl,
    tenantHostName: row.tenantHostName,
    token: await signCallToken(platform, row, content),
  };
}

function openSettings(platform: Platform, row: RecordRow, installationId: string): Record<string, string> {
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
function listMappings(row: RecordRow): StateRecord["mappings"] {
  const mapped = new Map(row.mappings.map((mapping) => [mapping.productName, mapping.fields]));
  return (row.productNames ?? []).map((productName) => ({
    productName,
    fields: mapped.get(productName) ?? {},
  }));
}

function signCallToken(platform: Platform, row: RecordRow, content: StateKeyContent): Promise<string> {
  return signToken(platform, {
    audience: row.coreApiUrl,
    organization: row.organizationSlug,
    tenant: row.tenantHostName,
    subject: row.subject ?? content.installationId,
    tokenId: content.attemptId,
  });
}
