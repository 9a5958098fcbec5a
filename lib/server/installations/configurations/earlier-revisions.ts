import type { SettingType } from "@/lib/contract/platform/manifest-terms";
import { settingSealer } from "../../platform/data-key";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import type { ConfigurationOwner } from "./merge-configuration";
import type { StoredSetting } from "./queries";
import {
  claimScrubbable,
  hasPlain,
  markScrubbed,
  type PlainRow,
  replaceSettings,
  selectPlain,
  selectSettingTypes,
} from "./secret-queries";

/**
 * Seals the plain values of settings that are secret now in all revisions before `before`, so that no dump shows them.
 * Sealing is not a change: the history keeps who set each value, and when.
 */
export async function sealEarlier(
  platform: Platform,
  tx: Db,
  { organizationId, installationId }: ConfigurationOwner,
  before: number,
  names: readonly string[],
): Promise<void> {
  if (!(await hasPlain(tx, installationId, before, names))) return;
  const sealWith = await settingSealer(platform, tx, organizationId);
  const typesOf = new Map<string, ReadonlyMap<string, SettingType>>();
  const current = new Map<string, PlainRun>();
  for await (const found of tracePlain(tx, installationId, before, names, current)) {
    const changed = new Map<PlainRow, Record<string, StoredSetting>>();
    for (const { row, name, run } of found) {
      const types = typesOf.get(row.versionId) ?? (await selectSettingTypes(tx, row.versionId, names));
      typesOf.set(row.versionId, types);
      const { value, ...set } = run;
      const origin = { type: types.get(name) ?? "Text", ...set };
      const settings = changed.get(row) ?? {};
      // Nobody reads a scrubbed revision anymore, so it doesn't even keep the ciphertext.
      settings[name] =
        row.scrubbedAt === null
          ? { kind: "sealed", sealed: sealWith({ installationId, name }, value), ...origin }
          : { kind: "gone", ...origin };
      changed.set(row, settings);
    }
    for (const [{ revision }, settings] of changed)
      await replaceSettings(tx, installationId, revision, settings);
  }
}

/** A plain value over consecutive revisions: the first of them, and when and by whom it was entered there. */
export interface PlainRun {
  value: string;
  setIn: number;
  updatedAt: string;
  by: string;
}

interface FoundPlain {
  row: PlainRow;
  name: string;
  run: PlainRun;
}

/** Revisions in memory at a time. Each has at most 100 of these values, of 8 KiB. */
const PAGE = 20;

/** The plain values of the last served revision before `before`, by setting. */
export async function findPlainRuns(
  tx: Db,
  installationId: string,
  before: number,
  names: readonly string[],
): Promise<Map<string, PlainRun>> {
  const current = new Map<string, PlainRun>();
  const pages = tracePlain(tx, installationId, before, names, current);
  while ((await pages.next()).done !== true);
  return current;
}

/**
 * Yields every plain value of these settings before a revision, oldest first, page by page. A value that stays the same
 * over several revisions is one run. `current` always has the runs of the last served revision that was read.
 */
async function* tracePlain(
  tx: Db,
  installationId: string,
  before: number,
  names: readonly string[],
  current: Map<string, PlainRun>,
): AsyncGenerator<FoundPlain[]> {
  for (let after = 0; ;) {
    const rows = await selectPlain(tx, installationId, { after, before, limit: PAGE }, names);
    yield rows.flatMap((row) => traceRow(row, names, current));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.revision;
  }
}

function traceRow(row: PlainRow, names: readonly string[], current: Map<string, PlainRun>): FoundPlain[] {
  const values = new Map(Object.entries(row.plain));
  return names.flatMap((name): FoundPlain[] => {
    const value = values.get(name);
    const run = value === undefined ? undefined : continueRun(current.get(name), row, value);
    // A revision that never served doesn't interrupt a run.
    if (row.served) {
      if (run === undefined) current.delete(name);
      else current.set(name, run);
    }
    return run === undefined ? [] : [{ row, name, run }];
  });
}

function continueRun(run: PlainRun | undefined, row: PlainRow, value: string): PlainRun {
  if (run?.value === value) return run;
  return { value, setIn: row.revision, updatedAt: row.createdAt.toISOString(), by: row.createdBy };
}

/** A state key lives at most 15 minutes, and may be sealed some seconds after its call was prepared. */
const KEYS_EXPIRED_MS = 16 * 60_000;

const BATCH = 100;

/**
 * Removes the secrets of superseded revisions once all their state keys have expired. The current revision has its own
 * copies. Spares the revision that a rollback would need. Returns how many revisions were scrubbed.
 */
export async function scrubRevisions(
  platform: Platform,
  now = new Date(),
  batchSize = BATCH,
): Promise<number> {
  const moment = new Date(now.getTime() - KEYS_EXPIRED_MS);
  for (let scrubbed = 0; ;) {
    const batch = await platform.db.transaction(async (tx) => {
      const rows = await claimScrubbable(tx, moment, batchSize);
      for (const { id, settings } of rows) await markScrubbed(tx, id, withoutSecrets(settings), now);
      return rows.length;
    });
    scrubbed += batch;
    if (batch < batchSize) return scrubbed;
  }
}

function withoutSecrets(settings: Readonly<Record<string, StoredSetting>>): Record<string, StoredSetting> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, stored]): [string, StoredSetting] => {
      if (stored.kind !== "sealed") return [name, stored];
      const { type, setIn, updatedAt, by } = stored;
      return [name, { kind: "gone", type, setIn, updatedAt, by }];
    }),
  );
}
