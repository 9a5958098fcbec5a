import type { EarlierRow } from "./queries";

/** A value that stood plain: since which revision, when it was entered and by whom. */
export interface PlainRun {
  value: string;
  setIn: number;
  updatedAt: string;
  by: string;
}

export interface PlainTrace {
  /** Every plain value under one of the names. */
  found: { row: EarlierRow; name: string; run: PlainRun }[];
  /** Those that stand in the last revision that served, by name. */
  standing: Map<string, PlainRun>;
}

/** A value that stands over several revisions is one value, set in the first of them. Rows come oldest first. */
export function tracePlain(rows: readonly EarlierRow[], names: readonly string[]): PlainTrace {
  const trace: PlainTrace = { found: [], standing: new Map() };
  for (const row of rows) {
    const held = new Map(Object.entries(row.settings));
    for (const name of names) {
      const stored = held.get(name);
      const run = stored?.kind === "plain" ? runAt(trace.standing.get(name), row, stored.value) : undefined;
      if (run !== undefined) trace.found.push({ row, name, run });
      // What an upgrade prepared that never served interrupts nothing.
      if (!row.served) continue;
      if (run === undefined) trace.standing.delete(name);
      else trace.standing.set(name, run);
    }
  }
  return trace;
}

function runAt(run: PlainRun | undefined, row: EarlierRow, value: string): PlainRun {
  if (run?.value === value) return run;
  return { value, setIn: row.revision, updatedAt: row.createdAt.toISOString(), by: row.createdBy };
}
