import type { StateRecord } from "@/lib/contract/catalog/configuration";
import { unknownKey } from "@/lib/domain/calls/explain-answer";
import { mayReadState } from "@/lib/domain/calls/installation";
import { openSettingWith } from "../platform/data-key";
import { createGroups } from "../platform/database/groups";
import { type Platform, withOwnPool } from "../platform/platform";
import { signToken } from "../platform/sign-token";
import { CHECK_ROUTE, openStateKey, type StateKeyContent } from "../platform/state-key";
import { recordReads, type RecordRow, selectCheckState, selectStates, type StateRead } from "./state-queries";

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

// Notes which attempts read their state. Written in batches after the answer, so that a read stays one select.

const FLUSH_MS = 100;

interface Buffer {
  reads: Map<string, StateRead>;
  timer: NodeJS.Timeout | undefined;
  /** All writes so far. */
  written: Promise<void>;
}

const buffers = new WeakMap<Platform, Buffer>();

export function noteStateRead(
  platform: Platform,
  { attemptId, installationId, routeId, revision }: Omit<StateKeyContent, "epoch" | "expiresAt">,
): void {
  // What a check reads is not saved, and no call.
  if (routeId === CHECK_ROUTE) return;
  const buffer = buffers.get(platform) ?? { reads: new Map(), timer: undefined, written: Promise.resolve() };
  buffers.set(platform, buffer);
  const known = buffer.reads.get(attemptId);
  const now = performance.now();
  if (known === undefined) {
    const read = { attemptId, installationId, revision, count: 1, firstMs: now, lastMs: now };
    buffer.reads.set(attemptId, read);
  } else {
    known.count += 1;
    known.lastMs = now;
  }
  buffer.timer ??= setTimeout(() => void flushStateReads(platform), FLUSH_MS);
}

/**
 * Resolves when all reads noted before are written, also those that the timer is writing. Only the console needs these notes: if the
 * database is down, they are dropped with a log entry.
 */
export async function flushStateReads(platform: Platform): Promise<void> {
  const buffer = buffers.get(platform);
  if (buffer === undefined) return;
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const reads = [...buffer.reads.values()];
  buffer.reads.clear();
  if (reads.length > 0)
    buffer.written = Promise.all([buffer.written, write(platform, reads)]).then(() => undefined);
  await buffer.written;
}

async function write(platform: Platform, reads: StateRead[]): Promise<void> {
  await recordReads(platform.pool, reads).catch((error: unknown) =>
    platform.log.warn({ err: error }, "state reads could not be noted"),
  );
}
