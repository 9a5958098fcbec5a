import type { IsolationView } from "@/lib/contract/isolation";
import type { Platform } from "../platform/platform";
import * as queries from "./queries";

/** A check that runs longer has died with its worker. */
const LONGEST_MS = 90_000;

/** The latest check of what apps can reach. */
export async function readIsolation({ db }: Pick<Platform, "db">): Promise<IsolationView> {
  const row = await queries.select(db);
  const { endedAt = null, durationMs = null, problem = null, places = [] } = row ?? {};
  const checkedAt = endedAt?.toISOString() ?? null;
  return { state: findState(row), checkedAt, durationMs, problem, places };
}

function findState(row: Awaited<ReturnType<typeof queries.select>>): IsolationView["state"] {
  if (row === undefined) return "never checked";
  const { requestedAt, startedAt, endedAt } = row;
  const since = startedAt !== null && startedAt > requestedAt ? startedAt : requestedAt;
  const isRunning = endedAt === null || endedAt < since;
  if (isRunning && Date.now() - since.getTime() < LONGEST_MS) return "checking";
  if (endedAt === null) return "never checked";
  return row.problem === null && !isRunning ? "checked" : "failed";
}
