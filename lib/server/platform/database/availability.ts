/** Whether the database can be used, and whether an error means that it can't: both pass, without anything being wrong here. */
import type { Pool } from "pg";
import type { Logger } from "pino";
import { Problem } from "@/lib/contract/platform/problem";
import { sqlStateOf } from "./connect";

/** Of Node: nobody answers, or not as agreed. */
const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/**
 * Of PostgreSQL: connection exceptions (08), a refused user or password (28), a missing database (3D), no connection or no disk left
 * (53), ended by an administrator or still starting (57P), failing disks (58).
 */
const SERVER_STATES = /^(?:08|28|3D|53|57P|58)/;

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (SERVER_STATES.test(sqlStateOf(error) ?? "")) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    CONNECTION_CODES.has(code) ||
    isCertificateProblem(error) ||
    /connection (terminated|timeout)|timeout exceeded|does not support SSL|SASL/i.test(error.message) ||
    isDatabaseUnavailable(error.cause)
  );
}

/** The server's certificate is not trusted, not for this host, or not valid now. */
export function isCertificateProblem(error: Error): boolean {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)_|ERR_TLS/.test(code);
}

/** As a problem that callers understand: it passes, and trying again helps. */
export function databaseProblem(): Problem {
  return new Problem("UNAVAILABLE", "The database is temporarily unavailable. Try again in a moment.", [], 2);
}

export interface DatabaseUse {
  pool: Pool;
  log: Logger;
}

const REMEMBER_MS = 1_000;
const ANSWER_MS = 3_000;

interface Look {
  at: number;
  available: Promise<boolean>;
}

const looks = new WeakMap<Pool, Look>();
/** Whether the last look found it, so that a change is logged once. */
const last = new WeakMap<Pool, boolean>();

/** Whether it answers a query. One look a second, however many ask. */
export function isDatabaseAvailable(use: DatabaseUse): Promise<boolean> {
  const known = looks.get(use.pool);
  if (known !== undefined && Date.now() - known.at < REMEMBER_MS) return known.available;
  const available = look(use);
  looks.set(use.pool, { at: Date.now(), available });
  return available;
}

async function look({ pool, log }: DatabaseUse): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The database did not answer in time.")), ANSWER_MS);
  });
  const asked = pool.query("select 1");
  asked.catch(() => undefined);
  const error = await Promise.race([asked, late]).then(
    () => undefined,
    (error: unknown) => error,
  );
  clearTimeout(timer);
  const available = error === undefined;
  if (last.get(pool) !== available && !(available && last.get(pool) === undefined)) {
    if (available) log.info("the database is available again");
    else log.error({ err: error }, "the database is not available");
  }
  last.set(pool, available);
  return available;
}
