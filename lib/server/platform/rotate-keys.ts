import { AWAY_AFTER_MS } from "@/lib/domain/platform/availability";
import { isRecorded } from "./audit-queries";
import { selectPartsWithoutKey } from "./database/availability-queries";
import { sqlStateOf, tryLock } from "./database/connect";
import { countWrappedKeys, replaceWrappedKey, selectKeysToRewrap, type StoredKey } from "./key-queries";
import {
  describeMasterKey,
  KEY_NOUNS,
  KEY_PURPOSES,
  type KeyPurpose,
  type Keyring,
  unwrapOnce,
  wrapKey,
  type WrappedKey,
} from "./keyring";
import type { Platform } from "./platform";
import { ensureAuditKeys, recordAudit } from "./record-audit";
import { LONGEST_LIFE_MS } from "./state-key";

interface RotateOptions {
  /** Opens every key and writes nothing. */
  dryRun?: boolean;
  /** Called after each key. What it throws ends the rotation there. */
  onKey?: (purpose: KeyPurpose) => void;
}

type KeyCounts = Record<KeyPurpose, number>;

/** The stored keys that a master key wraps. */
interface KeyUse {
  masterKeyId: string;
  /** Whether `PLATFORM_MASTER_KEYS` has it. */
  present: boolean;
  wraps: KeyCounts;
}

interface Rotation {
  dryRun: boolean;
  /** Id of the current master key. */
  current: string;
  rewrapped: KeyCounts;
  seconds: number;
  /** Sentences about what could not be done. Those rows are unchanged. */
  failures: string[];
  /** The master keys in `PLATFORM_MASTER_KEYS` and in the database, the current one first. */
  uses: KeyUse[];
  /** When the last state keys made with another master key have expired. */
  safeAt: Date;
}

const PAGE = 500;

/** Nothing was changed. The message says why and what to do. */
export class RotationRefusedError extends Error {}

/**
 * Wraps all stored keys and waiting emails with the current master key while the platform runs. Each row is a separate
 * update, guarded against concurrent changes: a rotation can be killed at any point, repeated, and run twice at once.
 * @throws RotationRefusedError if a running part could not open what it wraps
 */
export async function rotateKeys(platform: Platform, options: RotateOptions = {}): Promise<Rotation> {
  const { dryRun = false } = options;
  await requireKeyInParts(platform);
  const start = performance.now();
  const failures: string[] = [];
  const rewrapped = noKeys();
  if (!dryRun) {
    await ensureAuditKeys(platform.keyring, platform.db);
    await recordRotation(platform);
  }
  for (const purpose of KEY_PURPOSES)
    rewrapped[purpose] = await rewrapKeys(platform, purpose, options, failures);
  const seconds = (performance.now() - start) / 1000;
  const safeAt = new Date(Date.now() + LONGEST_LIFE_MS);
  const current = platform.keyring.current.id;
  const uses = await countKeyUse(platform);
  return { dryRun, current, rewrapped, seconds, failures, uses, safeAt };
}

async function requireKeyInParts({ db, keyring: { current } }: Platform): Promise<void> {
  const parts = await selectPartsWithoutKey(db, describeMasterKey(current), AWAY_AFTER_MS);
  if (parts.length === 0) return;
  const names = parts.map(({ part, host }) => `${part} on ${host ?? "an unknown host"}`).join(", ");
  throw new RotationRefusedError(
    `These running parts don't have the master key '${current.id}', or have another value for it: ${names}.\n` +
      "Nothing was changed. Restart them with the new PLATFORM_MASTER_KEYS, then rotate again.",
  );
}

/** Before the first key, so that a rotation that is killed has its row, too. Once for each new key, and only if there is something to rotate. */
async function recordRotation(platform: Platform): Promise<void> {
  const to = platform.keyring.current.id;
  const [action, subject] = ["master-key.rotate", `master-key:${to}`] as const;
  const uses = (await countKeyUse(platform)).filter((use) => use.masterKeyId !== to && isNeeded(use));
  if (uses.length === 0) return;
  const from = uses.map(({ masterKeyId }) => masterKeyId);
  try {
    await platform.db.transaction(async (tx) => {
      // Another rotation that runs at the same time records it.
      if (!(await tryLock(tx, action)) || (await isRecorded(tx, action, subject))) return;
      await recordAudit(tx, platform.keyring, {
        chain: "platform",
        actor: "operator:command",
        action,
        subject,
        details: { from },
      });
    });
  } catch (error) {
    // An audit key that doesn't open is reported as one of the keys.
    if (sqlStateOf(error) !== undefined) throw error;
  }
}

/** A key that doesn't open is reported; the others are still wrapped. Returns the number of keys that were. */
async function rewrapKeys(
  { db, keyring }: Platform,
  purpose: KeyPurpose,
  { dryRun, onKey }: RotateOptions,
  failures: string[],
): Promise<number> {
  let count = 0;
  for (let after = ""; ;) {
    const page = await selectKeysToRewrap(db, purpose, keyring.current.id, after, PAGE);
    for (const row of page) {
      const next = rewrap(keyring, purpose, row, failures);
      if (next !== undefined && (dryRun === true || (await replaceWrappedKey(db, purpose, row, next))))
        count += 1;
      onKey?.(purpose);
    }
    after = page.at(-1)?.id ?? "";
    if (page.length < PAGE) return count;
  }
}

function rewrap(
  keyring: Keyring,
  purpose: KeyPurpose,
  row: StoredKey,
  failures: string[],
): WrappedKey | undefined {
  try {
    return wrapKey(keyring.current, purpose, row.id, unwrapOnce(keyring, purpose, row.id, row));
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** What each master key wraps, of those that this process has and those that the database names. */
export async function countKeyUse({ db, keyring }: Platform): Promise<KeyUse[]> {
  const uses = new Map<string, KeyUse>();
  for (const masterKeyId of keyring.byId.keys())
    uses.set(masterKeyId, { masterKeyId, present: true, wraps: noKeys() });
  for (const purpose of KEY_PURPOSES)
    for (const { masterKeyId, count } of await countWrappedKeys(db, purpose)) {
      const use = uses.get(masterKeyId) ?? { masterKeyId, present: false, wraps: noKeys() };
      use.wraps[purpose] = count;
      uses.set(masterKeyId, use);
    }
  return [...uses.values()];
}

function noKeys(): KeyCounts {
  return { "data-key": 0, "signing-key": 0, "audit-key": 0, "second-factor": 0, mail: 0 };
}

function isNeeded({ wraps }: KeyUse): boolean {
  return KEY_PURPOSES.some((purpose) => wraps[purpose] > 0);
}

/** Whether the current master key wraps everything; of a dry run, whether it would. */
export function isComplete({ failures, uses, current, dryRun }: Rotation): boolean {
  if (failures.length > 0) return false;
  return dryRun || uses.every((use) => use.masterKeyId === current || !isNeeded(use));
}

/** The report of a rotation. It consists of counts and ids: no key and no value can be in it. */
export function describeRotation(rotation: Rotation): string[] {
  const { dryRun, current, rewrapped, failures, uses } = rotation;
  return [
    dryRun
      ? `Dry run: nothing is changed. A rotation would wrap these with master key '${current}':`
      : `Wrapped with master key '${current}':`,
    ...KEY_PURPOSES.map((purpose) => `  ${describeCount(rewrapped, purpose)}`),
    ...failures.map((failure) => `FAILED: ${failure}.`),
    "",
    ...uses.map((use) => describeUse(use, rotation)),
    "",
    ...(dryRun ? [] : describeFigures(rotation)),
  ];
}

function describeUse({ masterKeyId, present, wraps }: KeyUse, rotation: Rotation): string {
  const { current, dryRun, failures, safeAt } = rotation;
  const name = `Master key '${masterKeyId}'`;
  const counts = KEY_PURPOSES.filter((purpose) => wraps[purpose] > 0)
    .map((purpose) => describeCount(wraps, purpose))
    .join(", ");
  if (!present) return `${name} wraps ${counts}, but PLATFORM_MASTER_KEYS lacks it. Add it back, at the end.`;
  if (masterKeyId === current) return `${name} is the current one. It wraps ${counts || "nothing yet"}.`;
  if (counts === "")
    return `${name} wraps nothing. Once every part has '${current}' first, you can remove it at ${safeAt.toISOString()} or later, when the last state keys made with it have expired.`;
  if (dryRun) return `${name} wraps ${counts}.`;
  const next =
    failures.length > 0
      ? "See the failures above."
      : "A running part still has it first: restart that part, then rotate again.";
  return `${name} still wraps ${counts}. ${next}`;
}

function describeFigures(rotation: Rotation): string[] {
  const { rewrapped, seconds } = rotation;
  const keys = KEY_PURPOSES.reduce((sum, purpose) => sum + rewrapped[purpose], 0);
  return [
    `figure keys_rewrapped ${keys} rows`,
    ...(keys > 0 ? [`figure keys_rewrapped_per_second ${Math.round(keys / seconds)} rows/s`] : []),
    isComplete(rotation) ? "The rotation is complete." : "The rotation is not complete.",
  ];
}

function describeCount(counts: KeyCounts, purpose: KeyPurpose): string {
  const count = counts[purpose];
  return `${count} ${KEY_NOUNS[purpose]}${count === 1 ? "" : "s"}`;
}
