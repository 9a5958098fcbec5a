import type { Platform } from "../platform/platform";
import { rewrapDataKey } from "./data-key";
import {
  replaceWrappedDataKey,
  replaceWrappedSigningKey,
  selectDataKeysOfOthers,
  selectSigningKeysOfOthers,
} from "./queries";
import { rewrapSigningKey } from "./sign-token";

const PAGE = 500;

export interface Rewrapped {
  rows: number;
  /** What could not be re-wrapped, and why: each is left as it was. */
  faults: string[];
}

/** Each row on its own: whoever reads it meanwhile sees it wrapped by the old master key or by the new one, whole. */
export async function rewrapDataKeys(platform: Platform, dryRun: boolean): Promise<Rewrapped> {
  const { db, keyring } = platform;
  const done: Rewrapped = { rows: 0, faults: [] };
  for (let cursor: string | undefined; ;) {
    const page = await selectDataKeysOfOthers(db, keyring.current.id, cursor, PAGE);
    for (const row of page) {
      const what = `data key of organization ${row.organizationId}`;
      const next = unlessItFails(done, what, () => rewrapDataKey(keyring, row));
      if (next !== undefined && (dryRun || (await replaceWrappedDataKey(db, row, next)))) done.rows += 1;
    }
    cursor = page.at(-1)?.organizationId;
    if (page.length < PAGE) return done;
  }
}

export async function rewrapSigningKeys(platform: Platform, dryRun: boolean): Promise<Rewrapped> {
  const { db, keyring } = platform;
  const done: Rewrapped = { rows: 0, faults: [] };
  for (const row of await selectSigningKeysOfOthers(db, keyring.current.id)) {
    const next = unlessItFails(done, `signing key ${row.id}`, () => rewrapSigningKey(keyring, row));
    if (next !== undefined && (dryRun || (await replaceWrappedSigningKey(db, row, next)))) done.rows += 1;
  }
  return done;
}

/** A key that does not open is reported, and does not keep the others from being re-wrapped. */
function unlessItFails<Wrapped>(done: Rewrapped, what: string, rewrap: () => Wrapped): Wrapped | undefined {
  try {
    return rewrap();
  } catch (error) {
    done.faults.push(`The ${what} does not open: ${error instanceof Error ? error.message : String(error)}.`);
    return undefined;
  }
}
