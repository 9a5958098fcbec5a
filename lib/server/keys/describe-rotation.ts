/** The report of a rotation. It consists of counts and ids: no key and no value can be in it. */
import { isComplete, type KeyCounts, type KeyUse, type Rotation } from "./rotate-keys";
import { KEY_NOUNS, KEY_PURPOSES, type KeyPurpose } from "./wrapped-key";

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
