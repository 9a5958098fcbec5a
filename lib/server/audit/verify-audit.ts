import { ensureAuditKeys, readAuditKeys, type AuditKey } from "../keys/audit-key";
import type { Platform } from "../platform/platform";
import { useSnapshot, readAuditHead, selectAuditChains, selectAuditRows, type AuditHead } from "./queries";
import { sealAuditHead, sealAuditRow } from "./seal-audit";

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

/** Walks a chain from its first row and finds the first position where a row was changed, inserted or deleted. */
export async function verifyAudit(platform: Platform, chain: string): Promise<AuditResult> {
  await ensureAuditKeys(platform.keyring, platform.db);
  return platform.db.transaction(async (tx) => {
    await useSnapshot(tx);
    const keys = await readAuditKeys(platform.keyring, tx);
    let last = { position: 0, seal: "" };
    for (;;) {
      const rows = await selectAuditRows(tx, chain, last.position, PAGE);
      for (const row of rows) {
        const position = last.position + 1;
        const issue =
          row.position === position
            ? checkSeal(keys, position, "row", row.seal, (key) => sealAuditRow(key, last.seal, row))
            : { position, reason: "a row is missing" };
        if (issue !== undefined) return { intact: false, ...issue };
        last = { position, seal: row.seal };
      }
      if (rows.length < PAGE) break;
    }
    const issue = checkHead(keys, chain, last, await readAuditHead(tx, chain));
    return issue === undefined ? { intact: true, rows: last.position } : { intact: false, ...issue };
  });
}

function checkHead(
  keys: KeyLookup,
  chain: string,
  last: { position: number; seal: string },
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
    return { position, reason: error instanceof Error ? error.message : String(error) };
  }
}
