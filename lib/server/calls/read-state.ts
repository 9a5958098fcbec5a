import type { StateRecord } from "@/lib/contract/catalog/configuration";
import { mayReadState } from "@/lib/domain/calls/installation";
import { openSettingWith } from "../platform/data-key";
import { createGroups } from "../platform/database/groups";
import type { Keyring } from "../platform/keyring";
import { connect, type Foundation } from "../platform/platform";
import { reportFailure, reportSuccess } from "../platform/database/repeated-failures";
import type { Tokens } from "../platform/sign-token";
import { CHECK_ROUTE, type StateKeyContent } from "../platform/state-key";
import { recordReads, type RecordRow, selectCheckState, selectStates, type StateRead } from "./state-queries";

/**
 * Two statements at once: while one is under way, the answers of the other are built. Their size also bounds for how long one
 * keeps the process from other requests: below 10 ms.
 */
const GROUPS = { lanes: 2, items: 64 };

/**
 * Reads the state behind an opened key; undefined if the key is revoked. Reads at the same time share statements, on connections
 * of their own: they never wait behind calls and uploads.
 */
export interface StateReader {
  read: (content: StateKeyContent) => Promise<StateRecord | undefined>;
  close: () => Promise<void>;
}

declare module "../platform/platform" {
  interface Services {
    stateReader: StateReader;
    stateReads: StateReads;
  }
}

export function createStateReader(foundation: Foundation, tokens: Tokens): StateReader {
  // Planned once: PostgreSQL would plan each small batch again, which takes ten times as long as running it.
  const options = "-c plan_cache_mode=force_generic_plan";
  const { pool } = connect(foundation, "state-reads", { max: GROUPS.lanes, options, allowExitOnIdle: true });
  const groups = createGroups(GROUPS, async (contents: StateKeyContent[]) => {
    const rows = await selectStates(pool, contents);
    // An installation whose secrets do not open fails no other customer's read.
    return Promise.allSettled(
      contents.map(async (content, index) => {
        const row = rows.get(index);
        return row !== undefined && mayReadState(row.state, row.kind) ? toRecord(content, row) : undefined;
      }),
    );
  });

  async function toRecord(content: StateKeyContent, row: RecordRow): Promise<StateRecord> {
    return {
      settings: openSettings(foundation.keyring, row, content.installationId),
      mappings: listMappings(row),
      coreApiUrl: row.coreApiUrl,
      tenantHostName: row.tenantHostName,
      token: await tokens.sign({
        audience: row.coreApiUrl,
        organization: row.organizationSlug,
        tenant: row.tenantHostName,
        subject: row.subject ?? content.installationId,
        tokenId: content.attemptId,
        scope: row.scope,
        refusedHosts: row.refusedHosts,
      }),
    };
  }

  return {
    read: async (content) => {
      if (content.routeId === CHECK_ROUTE) {
        const row = await selectCheckState(foundation.pool, content.installationId);
        return row && toRecord(content, row);
      }
      const outcome = await groups.add(content.installationId, content);
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    },
    close: () => pool.end(),
  };
}

function openSettings(keyring: Keyring, row: RecordRow, installationId: string): Record<string, string> {
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
      keyring,
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

const FLUSH_MS = 100;
const NOTING = "note state reads";

/** Notes which attempts read their state. Written in batches after the answer, so that a read stays one select. */
export interface StateReads {
  note: (content: Omit<StateKeyContent, "epoch" | "expiresAt">) => void;
  /**
   * Resolves when all reads noted before are written, also those that the timer is writing. Only the console needs these notes: if
   * the database is down, they are dropped with a log entry.
   */
  flush: () => Promise<void>;
}

export function createStateReads({ pool, log }: Foundation): StateReads {
  const reads = new Map<string, StateRead>();
  let timer: NodeJS.Timeout | undefined;
  /** All writes so far. */
  let written = Promise.resolve();

  async function write(batch: StateRead[]): Promise<void> {
    await recordReads(pool, batch).then(
      () => reportSuccess(log, NOTING),
      (err: unknown) =>
        reportFailure(log, NOTING, { err, level: "warn", message: "state reads could not be noted" }),
    );
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...reads.values()];
    reads.clear();
    if (batch.length > 0) written = Promise.all([written, write(batch)]).then(() => undefined);
    await written;
  }

  return {
    note: ({ attemptId, installationId, routeId, revision }) => {
      // What a check reads is not saved, and no call.
      if (routeId === CHECK_ROUTE) return;
      const known = reads.get(attemptId);
      const now = performance.now();
      if (known === undefined) {
        reads.set(attemptId, { attemptId, installationId, revision, count: 1, firstMs: now, lastMs: now });
      } else {
        known.count += 1;
        known.lastMs = now;
      }
      timer ??= setTimeout(() => void flush(), FLUSH_MS);
    },
    flush,
  };
}
