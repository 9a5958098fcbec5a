import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { isolationChecks } from "@/drizzle/schema/runtime";
import type { EgressWay } from "@/lib/contract/runtime/egress";
import type { IsolationPlace } from "@/lib/contract/runtime/isolation";
import type { Db } from "../platform/database/connect";

const theRow = eq(isolationChecks.id, true);
const PAUSE = sql`interval '1 minute'`;

/** False if a check was requested less than a minute ago. */
export async function request(db: Db): Promise<boolean> {
  const rows = await db
    .insert(isolationChecks)
    .values({})
    .onConflictDoUpdate({
      target: isolationChecks.id,
      set: { requestedAt: sql`now()` },
      setWhere: lt(isolationChecks.requestedAt, sql`now() - ${PAUSE}`),
    })
    .returning({ id: isolationChecks.id });
  return rows.length === 1;
}

/** True for the one worker that runs the check that was requested. */
export async function claim(db: Db): Promise<boolean> {
  const isDue = or(
    isNull(isolationChecks.startedAt),
    lt(isolationChecks.startedAt, isolationChecks.requestedAt),
  );
  const rows = await db
    .update(isolationChecks)
    .set({ startedAt: sql`clock_timestamp()` })
    .where(and(theRow, isDue))
    .returning({ id: isolationChecks.id });
  return rows.length === 1;
}

export interface CheckEnd {
  durationMs: number;
  problem: string | null;
  places: IsolationPlace[];
  egress: EgressWay | null;
}

export async function end(db: Db, result: CheckEnd): Promise<void> {
  await db
    .update(isolationChecks)
    .set({ ...result, endedAt: sql`clock_timestamp()` })
    .where(theRow);
}

export async function select(db: Db) {
  const [row] = await db.select().from(isolationChecks).where(theRow);
  return row;
}

/** Origins of the cores of connected tenants: all of them, because the check's commands must let each through. */
export async function selectCores(db: Db): Promise<string[]> {
  const rows = await db
    .selectDistinct({ origin: sql<string>`substring(${tenants.coreApiUrl} from '^[a-z]+://[^/?#]+')` })
    .from(tenants)
    .where(isNull(tenants.disconnectedAt));
  return rows.map(({ origin }) => origin);
}
