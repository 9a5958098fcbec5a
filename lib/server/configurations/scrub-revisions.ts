import type { Platform } from "../platform/platform";
import type { StoredSetting } from "./queries";
import { claimScrubbable, markScrubbed } from "./secret-queries";

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
