import type { VerificationStep } from "@/lib/contract/platform/audit-view";
import {
  type AuditHead,
  readAuditHead,
  selectAuditChains,
  selectAuditRows,
  selectWithoutTrail,
  useSnapshot,
} from "./audit-queries";
import type { Db } from "./database/connect";
import { MissingMasterKeyError } from "./keyring";
import type { Platform } from "./platform";
import { type AuditKey, ensureAuditKeys, readAuditKeys, sealAuditHead, sealAuditRow } from "./record-audit";

interface AuditIssue {
  position: number;
  reason: string;
}

export type AuditResult = { intact: true; rows: number } | ({ intact: false } & AuditIssue);

type KeyLookup = (id: string) => AuditKey;

/** Rows in memory at a time. */
const PAGE = 1_000;

/** Organization ids and `platform`, including chains whose rows or whose head are missing. */
export function listAuditChains(platform: Platform): Promise<string[]> {
  return selectAuditChains(platform.db);
}

/** Organizations whose whole trail is gone, as far as the database can tell. */
export function listLostTrails(platform: Platform): Promise<string[]> {
  return selectWithoutTrail(platform.db);
}

/**
 * Walks a chain from its first row and finds the first position where a row was changed, inserted or deleted.
 * @throws MissingMasterKeyError if it can't be checked
 */
export async function verifyAudit(platform: Platform, chain: string): Promise<AuditResult> {
  await ensureAuditKeys(platform.keyring, platform.db);
  return platform.db.transaction(async (tx) => {
    await useSnapshot(tx);
    const keys = await readAuditKeys(platform.keyring, tx);
    let end = START;
    for (;;) {
      const step = await checkPage(tx, keys, chain, end);
      if (step.issue !== undefined) return { intact: false, ...step.issue };
      end = step.end;
      if (step.done) return { intact: true, rows: end.position };
    }
  });
}

/**
 * Verifies the page of rows after a position that earlier calls verified, so that a long trail is verified in short queries.
 * @param after 0 for the beginning
 */
export async function verifyAuditStep(
  platform: Platform,
  chain: string,
  after: number,
  limit = PAGE,
): Promise<VerificationStep> {
  await ensureAuditKeys(platform.keyring, platform.db);
  return platform.db.transaction(async (tx) => {
    await useSnapshot(tx);
    const keys = await readAuditKeys(platform.keyring, tx);
    const [before] = after === 0 ? [START] : await selectAuditRows(tx, chain, after - 1, 1);
    if (before?.position !== after)
      return { position: after, done: true, issue: { position: after, reason: "a row is missing" } };
    const { end, done, issue } = await checkPage(tx, keys, chain, before, limit);
    return issue === undefined
      ? { position: end.position, done }
      : { position: end.position, done: true, issue };
  });
}

interface End {
  position: number;
  seal: string;
}

const START: End = { position: 0, seal: "" };

/** Checks a page of rows, and at the end of the trail its head. `end`: the last row that is unchanged. */
async function checkPage(
  tx: Db,
  keys: KeyLookup,
  chain: string,
  from: End,
  limit = PAGE,
): Promise<{ end: End; done: boolean; issue?: AuditIssue }> {
  let last = from;
  const rows = await selectAuditRows(tx, chain, from.position, limit);
  for (const row of rows) {
    const position = last.position + 1;
    const { seal: previous } = last;
    const issue =
      row.position === position
        ? checkSeal(keys, position, "row", row.seal, (key) => sealAuditRow(key, previous, row))
        : { position, reason: "a row is missing" };
    if (issue !== undefined) return { end: last, done: true, issue };
    last = { position, seal: row.seal };
  }
  if (rows.length === limit) return { end: last, done: false };
  return { end: last, done: true, issue: checkHead(keys, chain, last, await readAuditHead(tx, chain)) };
}

function checkHead(
  keys: KeyLookup,
  chain: string,
  last: End,
  head: AuditHead | undefined,
): AuditIssue | undefined {
  if (head === undefined)
    return last.position === 0 ? undefined : { position: last.position, reason: "the head is missing" };
  const { position, seal, headSeal } = head;
  const issue = checkSeal(keys, position, "head", headSeal, (key) =>
    sealAuditHead(key, chain, position, seal),
  );
  if (issue !== undefined) return issue;
  const isEnd = position === last.position && seal === last.seal;
  return isEnd ? undefined : { position: last.position, reason: "the trail was cut" };
}

function checkSeal(
  keys: KeyLookup,
  position: number,
  what: string,
  seal: string,
  expected: (key: AuditKey) => string,
): AuditIssue | undefined {
  try {
    const isRight = expected(keys(seal.split(":")[0] ?? "")) === seal;
    return isRight ? undefined : { position, reason: `the ${what} was changed` };
  } catch (error) {
    if (error instanceof MissingMasterKeyError) throw error;
    return { position, reason: error instanceof Error ? error.message : String(error) };
  }
}
