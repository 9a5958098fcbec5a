import { DAY_MS } from "../../platform/retention-queries";
import type { Db } from "../../platform/database/connect";
import type { Platform } from "../../platform/platform";
import { shareReads } from "../../platform/shared-reads";
import * as queries from "./use-queries";

const DAYS = 30;
/** Versions with a line of their own; the others are one. */
const LINES = 4;
const COMMENTS = 50;

/** How an app was found, launched, used and left in the last 30 days, by other organizations than its own. */
export async function readUse(
  { db }: Platform,
  listing: { id: string; organizationId: string },
  now = new Date(),
) {
  const from = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS);
  const [funnel, byDay, called, answers] = await Promise.all([
    queries.selectFunnel(db, listing, from),
    queries.selectInstallationsByDay(db, listing, from),
    readCalls(db, listing, from),
    queries.selectUninstallAnswers(db, listing.id, from, COMMENTS),
  ]);
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(from.getTime() + index * DAY_MS).toISOString().slice(0, 10),
  );
  return { funnel, installations: arrange(days, byDay), calls: called, answers };
}

type Calls = Awaited<ReturnType<typeof queries.selectCallsByVersion>>;

/** A popular app has hundreds of thousands of rows to add up, and they change once an hour. Several readers share one result. */
const sharedCalls = shareReads<Calls>({ max: 500, freshMs: 5 * 60_000 });

function readCalls(db: Db, listing: Parameters<typeof queries.selectCallsByVersion>[1], from: Date) {
  const key = `${listing.id} ${from.toISOString()}`;
  return sharedCalls(key, () => queries.selectCallsByVersion(db, listing, from));
}

interface Counted {
  day: string;
  number: string;
  installations: number;
}

/** A line for each of the versions that were used most, and one for the others. */
function arrange(days: readonly string[], counted: readonly Counted[]) {
  const most = new Map<string, number>();
  for (const { number, installations } of counted)
    most.set(number, Math.max(most.get(number) ?? 0, installations));
  const shown = [...most].sort(([, one], [, other]) => other - one).map(([number]) => number);
  const own = shown.slice(0, LINES);
  const lines = own.map((number) => ({ name: number, counts: count(days, counted, [number]) }));
  const others = shown.slice(LINES);
  return {
    days: [...days],
    lines: others.length === 0 ? lines : [...lines, { name: "Others", counts: count(days, counted, others) }],
  };
}

function count(days: readonly string[], counted: readonly Counted[], numbers: readonly string[]): number[] {
  return days.map((day) =>
    counted
      .filter((row) => row.day === day && numbers.includes(row.number))
      .reduce((sum, { installations }) => sum + installations, 0),
  );
}
