/** What a rotation says of itself. Numbers come from counts alone: no key and no value can be in it. */
import { isNeeded, type KeyUse } from "./count-key-use";
import { isComplete, type Rotation } from "./rotate-keys";

export function describeRotation(rotation: Rotation): string[] {
  return [
    ...whatWasDone(rotation),
    ...rotation.faults.map((fault) => `NOT DONE: ${fault}`),
    "",
    ...rotation.uses.map((use) => describeUse(use, rotation)),
    "",
    ...figuresOf(rotation),
  ];
}

function whatWasDone(rotation: Rotation): string[] {
  const { dryRun, current, uses, dataKeys, signingKeys, chains } = rotation;
  const others = uses.filter((use) => use.keyId !== current);
  const auditRows = dryRun ? others.reduce((sum, use) => sum + use.auditSeals, 0) : rotation.auditRows;
  return [
    dryRun
      ? `Nothing is written. A rotation to '${current}' would change:`
      : `Master key '${current}' seals. Rotated to it:`,
    `  ${counted(dataKeys, "data key")}`,
    `  ${counted(signingKeys, "signing key")}`,
    `  ${counted(auditRows, dryRun ? "audit seal" : "audit row")}, of ${counted(chains, "chain")}`,
  ];
}

function describeUse(use: KeyUse, rotation: Rotation): string {
  const { current, dryRun, safeAt } = rotation;
  const needs = [
    use.dataKeys > 0 ? counted(use.dataKeys, "data key") : undefined,
    use.signingKeys > 0 ? counted(use.signingKeys, "signing key") : undefined,
    use.auditSeals > 0 ? counted(use.auditSeals, "audit seal") : undefined,
  ].filter((part) => part !== undefined);
  const words = needs.join(", ");
  const name = `Key '${use.keyId}'`;
  if (!use.present)
    return `${name} is not in PLATFORM_MASTER_KEYS, and this needs it: ${words}. Put it back, at the end.`;
  if (use.keyId === current) return `${name} seals. It holds ${words || "nothing yet"}.`;
  if (!isNeeded(use)) {
    return (
      `${name}: nothing that is stored needs it. When every part has '${current}' first, it may be retired` +
      ` at ${safeAt.toISOString()} or later: the last state keys that it sealed are dead then.`
    );
  }
  if (dryRun) return `${name} is needed by ${words}.`;
  return rotation.faults.length > 0
    ? `${name} is still needed by ${words}. See what was not done.`
    : `${name} is still needed by ${words}. A part that has it first runs still: restart that one, then run this again.`;
}

function figuresOf(rotation: Rotation): string[] {
  if (rotation.dryRun) return [];
  const { dataKeys, signingKeys, keySeconds, auditRows, auditSeconds } = rotation;
  return [
    ...figures("keys_rewrapped", dataKeys + signingKeys, keySeconds),
    ...figures("audit_rows_resealed", auditRows, auditSeconds),
    isComplete(rotation) ? "The rotation is complete." : "The rotation is not complete.",
  ];
}

/** A speed is only told of what was done. */
function figures(name: string, rows: number, seconds: number): string[] {
  const speed = `figure ${name}_per_second ${Math.round(rows / seconds)} rows/s`;
  return [`figure ${name} ${rows} rows`, ...(rows > 0 ? [speed] : [])];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
