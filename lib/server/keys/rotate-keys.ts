import { resealAudit, type Resealed } from "../audit/reseal-audit";
import { listAuditChains } from "../audit/list-audit-chains";
import { verifyAudit } from "../audit/verify-audit";
import type { Platform } from "../platform/platform";
import { countKeyUse, isNeeded, type KeyUse } from "./count-key-use";
import { rewrapDataKeys, rewrapSigningKeys, type Rewrapped } from "./rewrap-keys";
import { LONGEST_LIFE_MS } from "./state-key";

export interface RotateOptions {
  /** Opens and verifies everything, and writes nothing. */
  dryRun?: boolean;
  /** After each step; what it throws ends the rotation there. */
  onStep?: (step: RotationStep) => void;
}

export interface RotationStep {
  what: "data keys" | "signing keys" | "audit rows";
  rows: number;
  /** Of audit rows. */
  chain?: string;
}

export interface Rotation {
  dryRun: boolean;
  /** The id of the master key that seals. */
  current: string;
  dataKeys: number;
  signingKeys: number;
  keySeconds: number;
  chains: number;
  auditRows: number;
  /** With the time in which the trails are verified first. */
  auditSeconds: number;
  /** What could not be done, in sentences; each is left as it was. */
  faults: string[];
  /** What needs which master key now. */
  uses: KeyUse[];
  /** When the last state keys are dead that another master key than the current one can have sealed. */
  safeAt: Date;
}

/**
 * Brings everything that other master keys seal under the current one, while the platform serves on. Every row and every
 * batch of a trail is a transaction of its own, guarded against changes at the same time: broken off anywhere and started
 * again, or started twice, it comes to the same end.
 */
export async function rotateKeys(platform: Platform, options: RotateOptions = {}): Promise<Rotation> {
  const { dryRun = false, onStep = () => undefined } = options;
  const faults: string[] = [];
  const take = (what: "data keys" | "signing keys", done: Rewrapped): number => {
    faults.push(...done.faults);
    onStep({ what, rows: done.rows });
    return done.rows;
  };
  const begun = performance.now();
  const dataKeys = take("data keys", await rewrapDataKeys(platform, dryRun));
  const signingKeys = take("signing keys", await rewrapSigningKeys(platform, dryRun));
  const half = performance.now();

  const chains = await listAuditChains(platform);
  let auditRows = 0;
  for (const chain of chains) {
    const onBatch = (rows: number) => onStep({ what: "audit rows", rows, chain });
    const { rows, fault } = dryRun
      ? await verifyAlone(platform, chain)
      : await resealAudit(platform, chain, onBatch);
    auditRows += rows;
    if (fault !== undefined)
      faults.push(`The audit chain ${chain} does not verify at row ${fault.position}: ${fault.reason}.`);
  }
  const end = performance.now();
  const safeAt = new Date(Date.now() + LONGEST_LIFE_MS);
  const current = platform.keyring.current.id;
  const uses = await countKeyUse(platform);
  return {
    dryRun,
    current,
    dataKeys,
    signingKeys,
    keySeconds: (half - begun) / 1000,
    chains: chains.length,
    auditRows,
    auditSeconds: (end - half) / 1000,
    faults,
    uses,
    safeAt,
  };
}

async function verifyAlone(platform: Platform, chain: string): Promise<Resealed> {
  const verdict = await verifyAudit(platform, chain);
  return verdict.intact ? { rows: 0 } : { rows: 0, fault: verdict };
}

/** Whether nothing that is stored needs another key than the current one any more. */
export function isComplete({ faults, uses, current, dryRun }: Rotation): boolean {
  return faults.length === 0 && (dryRun || uses.every((use) => use.keyId === current || !isNeeded(use)));
}
