import type { Platform } from "../platform/platform";
import type { StoredSetting } from "./queries";
import { claimScrubbable, markScrubbed } from "./secrets/queries";

/** A key lives fifteen minutes at most, and may be sealed some seconds after its call was prepared. */
const KEYS_ARE_DEAD_MS = 16 * 60_000;

const BATCH = 100;

/**
 * Removes the secrets of revisions whose last key is dead; what still counts, the current revision holds itself. The last
 * revision of the version before is spared while there is a way back to it. Answers how many revisions were scrubbed.
 */
export async function scrubRevisions(
  platform: Platform,
  now = new Date(),
  batchSize = BATCH,
): Promise<number> {
  const dead = new Date(now.getTime() - KEYS_ARE_DEAD_MS);
  for (let scrubbed = 0; ;) {
    const batch = await platform.db.transaction(async (tx) => {
      const rows = await claimScrubbable(tx, dead, batchSize);
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
