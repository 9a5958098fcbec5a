import type { Db } from "./database/connect";
import { countWrappedKeys, selectWrappedKeys } from "./key-queries";
import { KEY_NOUNS, KEY_PURPOSES, type KeyPurpose, type Keyring, unwrapOnce } from "./keyring";
import { ensureAuditKeys } from "./record-audit";

/** A single row may be damaged. With a wrong key, no row opens. */
const SAMPLE = 5;

/** An email that waits is no reason not to start. */
const CHECKED = KEY_PURPOSES.filter((purpose) => purpose !== "mail");

/**
 * Checks the master keys against what the database has wrapped, as a sentence for each that is missing or wrong. An empty database gets
 * its first wrapped key, so that no other process can start on it with other keys.
 */
export async function findKeyringFaults(keyring: Keyring, db: Db): Promise<string[]> {
  await ensureAuditKeys(keyring, db);
  return findWrappedKeyFaults(keyring, db);
}

/** The same without writing anything. */
export async function findWrappedKeyFaults(keyring: Keyring, db: Db): Promise<string[]> {
  const faults: string[] = [];
  const wrong = new Set<string>();
  for (const purpose of CHECKED)
    for (const { masterKeyId, count } of await countWrappedKeys(db, purpose)) {
      if (wrong.has(masterKeyId)) continue;
      const fault = await findFault(keyring, db, { purpose, masterKeyId, count });
      if (fault === undefined) continue;
      wrong.add(masterKeyId);
      faults.push(fault);
    }
  return faults;
}

/** Ids of the master keys that wrap something. */
export async function listKeysInUse(db: Db): Promise<string[]> {
  const ids = new Set<string>();
  for (const purpose of KEY_PURPOSES)
    for (const { masterKeyId } of await countWrappedKeys(db, purpose)) ids.add(masterKeyId);
  return [...ids];
}

async function findFault(
  keyring: Keyring,
  db: Db,
  { purpose, masterKeyId, count }: { purpose: KeyPurpose; masterKeyId: string; count: number },
): Promise<string | undefined> {
  const noun = KEY_NOUNS[purpose];
  const article = /^[aeiou]/.test(noun) ? "an" : "a";
  const what = `${count === 1 ? `${article} ${noun}` : `${count} ${noun}s`} of this database`;
  if (!keyring.byId.has(masterKeyId))
    return `The master key '${masterKeyId}', which wraps ${what}, is missing.`;
  const sample = await selectWrappedKeys(db, purpose, masterKeyId, SAMPLE);
  const opens = sample.some((row) => {
    try {
      unwrapOnce(keyring, purpose, row.id, row);
      return true;
    } catch {
      return false;
    }
  });
  if (opens || sample.length === 0) return undefined;
  return `The master key '${masterKeyId}' is not the one that wraps ${what}: it has the right id but a different value.`;
}
