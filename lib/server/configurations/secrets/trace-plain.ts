import type { Db } from "../../database/connect";
import { selectPlain, type PlainRow } from "./queries";

/** A value that stood plain: since which revision, when it was entered and by whom. */
export interface PlainRun {
  value: string;
  setIn: number;
  updatedAt: string;
  by: string;
}

export interface FoundPlain {
  row: PlainRow;
  name: string;
  run: PlainRun;
}

/** So many revisions are in memory at once: each has at most 100 of these values, of 8 KiB. */
const PAGE = 20;

/**
 * Goes through the revisions before `before`, oldest first, and gives `seen` every plain value under one of the names,
 * some at a time. A value that stands over several revisions is one value, set in the first of them. Answers those that
 * stand in the last revision that served, by name.
 */
export async function tracePlain(
  tx: Db,
  installationId: string,
  before: number,
  names: readonly string[],
  seen?: (found: FoundPlain[]) => Promise<void>,
): Promise<Map<string, PlainRun>> {
  const standing = new Map<string, PlainRun>();
  for (let after = 0; ;) {
    const rows = await selectPlain(tx, installationId, { after, before, limit: PAGE }, names);
    const found = rows.flatMap((row) => tracePlainOf(row, names, standing));
    if (found.length > 0) await seen?.(found);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return standing;
    after = last.revision;
  }
}

function tracePlainOf(
  row: PlainRow,
  names: readonly string[],
  standing: Map<string, PlainRun>,
): FoundPlain[] {
  const held = new Map(Object.entries(row.plain));
  return names.flatMap((name): FoundPlain[] => {
    const value = held.get(name);
    const run = value === undefined ? undefined : runAt(standing.get(name), row, value);
    // What an upgrade prepared that never served interrupts nothing.
    if (row.served) {
      if (run === undefined) standing.delete(name);
      else standing.set(name, run);
    }
    return run === undefined ? [] : [{ row, name, run }];
  });
}

function runAt(run: PlainRun | undefined, row: PlainRow, value: string): PlainRun {
  if (run?.value === value) return run;
  return { value, setIn: row.revision, updatedAt: row.createdAt.toISOString(), by: row.createdBy };
}
