/**
 * Anchors of the audit trails outside of the database: a worker writes the head of each trail that grew to its log, signed. Whoever can
 * write to the database can put back a backup's tail and head together, or remove a whole trail, and nothing in the database shows it.
 * The operator's log does: see docs/keys.md.
 */
import { type AuditHead, readAuditHeads, selectAuditSeals } from "./audit-queries";
import { MissingMasterKeyError } from "./keyring";
import type { Platform } from "./platform";
import { type AuditKey, ensureAuditKeys, readAuditKeys, sealAuditHead, sealCheckpoint } from "./record-audit";

/** The head that a trail had at a moment. */
export interface Checkpoint {
  at: string;
  chain: string;
  position: number;
  /** Of the row at that position. */
  seal: string;
  signature: string;
}

const NAME = "audit-checkpoint";
const LINE = new RegExp(String.raw`${NAME} (\S+) (\S+) (\d{1,10}) ([\w.:-]+) ([\w.:-]+)`, "g");

function formatCheckpoint({ at, chain, position, seal, signature }: Checkpoint): string {
  return `${NAME} ${at} ${chain} ${position} ${seal} ${signature}`;
}

/** All checkpoints in a log, whatever else is in it, in their order. */
export function parseCheckpoints(log: string): Checkpoint[] {
  return [...log.matchAll(LINE)].map(([, at = "", chain = "", position, seal = "", signature = ""]) => ({
    at,
    chain,
    position: Number(position),
    seal,
    signature,
  }));
}

/**
 * A job that writes the checkpoints of trails that grew since it last did, at most once in `everyMs`. Several workers may write the same.
 * It reports at once what it remembers and doesn't find anymore.
 */
export function createCheckpointWriter(platform: Platform, everyMs: number): () => Promise<void> {
  const written = new Map<string, number>();
  // Written whatever the level of other messages is.
  const log = platform.log.child({}, { level: "info" });
  let lastAt = -Infinity;
  return async () => {
    if (performance.now() - lastAt < everyMs) return;
    const heads = await readAuditHeads(platform.db);
    const keys = await readAuditKeys(platform.keyring, platform.db);
    const at = new Date().toISOString();
    for (const [chain, position] of written) {
      const head = heads.get(chain);
      if (head !== undefined && head.position >= position) continue;
      const found = head === undefined ? "is gone" : `ends at row ${head.position}`;
      log.error(
        { chain },
        `the audit trail of ${chain} had ${position} rows, and ${found}: run npm run audit:verify`,
      );
      written.delete(chain);
    }
    for (const [chain, head] of heads) {
      if (written.get(chain) === head.position) continue;
      if (!isSealed(keys, chain, head)) {
        log.error({ chain }, `the head of the audit trail of ${chain} was changed: run npm run audit:verify`);
        continue;
      }
      const { position, seal } = head;
      const key = keys(keyIdOf(head.headSeal));
      const signature = sealCheckpoint(key, { at, chain, position, seal });
      log.info({ checkpoint: formatCheckpoint({ at, chain, position, seal, signature }) }, "audit trail");
      written.set(chain, position);
    }
    lastAt = performance.now();
  };
}

const keyIdOf = (seal: string) => seal.split(":")[0] ?? "";

function isSealed(
  keys: (id: string) => AuditKey,
  chain: string,
  { position, seal, headSeal }: AuditHead,
): boolean {
  try {
    return sealAuditHead(keys(keyIdOf(headSeal)), chain, position, seal) === headSeal;
  } catch (error) {
    if (error instanceof MissingMasterKeyError) throw error;
    return false;
  }
}

export interface BrokenCheckpoint {
  checkpoint: Checkpoint;
  /** As a sentence about the trail or the file. */
  reason: string;
}

/** Checkpoints that don't fit the trails as they are now. Assumes that the trails themselves were verified. */
export async function verifyCheckpoints(
  platform: Platform,
  checkpoints: readonly Checkpoint[],
): Promise<BrokenCheckpoint[]> {
  await ensureAuditKeys(platform.keyring, platform.db);
  const keys = await readAuditKeys(platform.keyring, platform.db);
  const heads = await readAuditHeads(platform.db);
  const broken: BrokenCheckpoint[] = [];
  const byChain = new Map<string, Checkpoint[]>();
  for (const checkpoint of checkpoints) {
    const known = byChain.get(checkpoint.chain) ?? [];
    byChain.set(checkpoint.chain, known);
    known.push(checkpoint);
  }
  for (const [chain, known] of byChain) {
    const seals = await selectAuditSeals(
      platform.db,
      chain,
      known.map(({ position }) => position),
    );
    for (const checkpoint of known) {
      const reason =
        explainSignature(keys, checkpoint) ??
        explainRow(checkpoint, seals.get(checkpoint.position), heads.get(chain)?.position);
      if (reason !== undefined) broken.push({ checkpoint, reason });
    }
  }
  return broken;
}

function explainSignature(keys: (id: string) => AuditKey, checkpoint: Checkpoint): string | undefined {
  try {
    const isRight = sealCheckpoint(keys(keyIdOf(checkpoint.signature)), checkpoint) === checkpoint.signature;
    return isRight ? undefined : "its signature is wrong: the line or the audit key was changed";
  } catch (error) {
    if (error instanceof MissingMasterKeyError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

function explainRow({ seal }: Checkpoint, found: string | undefined, end = 0): string | undefined {
  if (found === seal) return undefined;
  if (found !== undefined) return "another row is in its place: the trail was replaced";
  return end === 0 ? "the whole trail is gone" : `the trail ends at row ${end}: its tail was cut`;
}
