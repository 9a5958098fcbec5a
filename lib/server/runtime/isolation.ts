import { Problem } from "@/lib/contract/platform/problem";
import type { Enforcement } from "@/lib/contract/catalog/rights";
import type { IsolationView } from "@/lib/contract/runtime/isolation";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import * as queries from "./isolation-queries";

/** A check that runs longer has died with its worker. */
const LONGEST_MS = 90_000;

/** The latest check of what apps can reach. */
export async function readIsolation({ db }: Pick<Platform, "db">): Promise<IsolationView> {
  const row = await queries.select(db);
  const { endedAt = null, durationMs = null, problem = null, places = [], egress = null } = row ?? {};
  const checkedAt = endedAt?.toISOString() ?? null;
  return { state: findState(row), checkedAt, durationMs, problem, places, egress };
}

/** What keeps apps to the hosts that they declare, as a worker last found out. */
export async function readEnforcement({ db }: Pick<Platform, "db">): Promise<Enforcement> {
  return (await queries.select(db))?.egress?.way ?? null;
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

const PAUSE_SECONDS = 60;

/** Lets a worker check again what apps can reach. Throws TOO_MANY_REQUESTS within a minute of the last request. */
export async function requestIsolationCheck({ db, keyring }: Platform, moderator: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await queries.request(tx)))
      throw new Problem(
        "TOO_MANY_REQUESTS",
        "A check was requested less than a minute ago. Wait a minute, then check again.",
        [],
        PAUSE_SECONDS,
      );
    await recordAudit(tx, keyring, {
      chain: "platform",
      actor: `user:${moderator.userId}`,
      action: "isolation.check",
      subject: "isolation",
    });
  });
}
