/** Whether the database can be used, and whether an error means that it can't: both pass, without anything being wrong here. */
import pg, { type Pool } from "pg";
import type { Logger } from "pino";
import { type Availability, DATABASE_AWAY } from "@/lib/contract/platform/availability";
import { Problem } from "@/lib/contract/platform/problem";
import { AWAY_AFTER_MS, findAway } from "@/lib/domain/platform/availability";
import { markAway } from "./answer-away";
import { selectAvailability } from "./availability-queries";
import { redactQueryError, sqlStateOf } from "./connect";

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

/** Of Node and OpenSSL. */
export const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)_|ERR_TLS/;

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isAwayError(error)) return true;
  if (SERVER_STATES.test(sqlStateOf(error) ?? "")) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return (
    CONNECTION_CODES.has(code) ||
    isCertificateProblem(error) ||
    /connection (terminated|timeout)|timeout exceeded|is not queryable|does not support SSL|SASL|asks for a password/i.test(
      error.message,
    ) ||
    isDatabaseUnavailable(error.cause)
  );
}

/** The server's certificate is not trusted, not for this host, or not valid now. */
export function isCertificateProblem(error: Error): boolean {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return CERTIFICATE_CODES.test(code);
}

/**
 * As a problem that callers understand: it passes, and trying again helps.
 * @param error of a request that changes something
 */
export function databaseProblem(error?: unknown): Problem {
  const now = "The platform's database can't be reached right now.";
  const detail =
    error instanceof Error && isAwayError(error) && error.cause === undefined
      ? `${now} Your request may still take effect when it is back. Check before you send it again.`
      : `${now} Nothing is wrong with your request: try again in a moment.`;
  return new Problem("DATABASE_UNAVAILABLE", detail, [], 2);
}

/** The database stopped answering while something waited for it. */
export class DatabaseAwayError extends Error {
  /** Next passes it to the browser, where the error page recognizes it. */
  readonly digest = DATABASE_AWAY;

  constructor(cause?: unknown) {
    super("The database does not answer.", { cause });
    this.name = "DatabaseAwayError";
  }
}

/** By what it says, because pages and handlers are bundles with classes of their own, and share one process. */
function isAwayError(error: Error): boolean {
  return "digest" in error && error.digest === DATABASE_AWAY;
}

/** For errors of pages: the browser learns that the database is away, and of any other error nothing but a number. */
export function toPageError(error: unknown): unknown {
  const redacted = redactQueryError(error);
  const isAway = isDatabaseUnavailable(error);
  if (isAway) markAway();
  return isAway && !(error instanceof Error && isAwayError(error))
    ? new DatabaseAwayError(redacted)
    : redacted;
}

export interface DatabaseUse {
  pool: Pool;
  log: Logger;
}

const REMEMBER_MS = 1_000;
const ANSWER_MS = 3_000;
const TICK_MS = 250;

/** What a look at the database found. */
export interface DatabaseLook extends Awaited<ReturnType<typeof selectAvailability>> {
  /** When the look ended, in milliseconds. */
  at: number;
  /** Since when it has not answered; null if it answers. */
  awaySince: number | null;
}

interface Known {
  /**
   * A connection of its own, so that a busy process doesn't take its own queue for an outage. Without an answer in time, it is
   * replaced, because its network may have changed.
   */
  asking: Pool;
  /** Set until the look ends. */
  looking?: Promise<DatabaseLook>;
  last?: DatabaseLook;
  /** When it last began to answer again. */
  backAt?: number;
}

const known = new WeakMap<Pool, Known>();

const NOTHING_FOUND = { is_current: true, up_ms: Infinity, beats: [] };

/** Whether it answers, and what it says of the schema and the parts. At most one look a second, however many ask. */
export async function lookAtDatabase(use: DatabaseUse): Promise<DatabaseLook> {
  const state = known.get(use.pool) ?? { asking: connectToAsk(use.pool) };
  known.set(use.pool, state);
  if (state.last !== undefined && Date.now() - state.last.at < REMEMBER_MS) return state.last;
  state.looking ??= look(use, state).finally(() => (state.looking = undefined));
  return state.looking;
}

/** The last look found it away. */
export function isKnownAway(pool: Pool): boolean {
  return (known.get(pool)?.last?.awaySince ?? null) !== null;
}

/** What is away, as far as this process knows. */
export async function readAvailability(use: DatabaseUse): Promise<Availability> {
  return describeAvailability(use, await lookAtDatabase(use));
}

/** The same without asking the database; undefined if this process hasn't asked lately. */
export function recallAvailability(use: DatabaseUse): Availability | undefined {
  const last = known.get(use.pool)?.last;
  return last === undefined || Date.now() - last.at > AWAY_AFTER_MS
    ? undefined
    : describeAvailability(use, last);
}

function describeAvailability({ pool }: DatabaseUse, { at, awaySince, up_ms, beats }: DatabaseLook) {
  const backAt = known.get(pool)?.backAt ?? -Infinity;
  return { away: findAway({ at, awaySince, answeringMs: Math.min(up_ms, at - backAt), beats }) };
}

/** What a process that needs the database can't use now. */
export async function findMissing(use: DatabaseUse): Promise<("database" | "schema")[]> {
  const { awaySince, is_current } = await lookAtDatabase(use);
  if (awaySince !== null) return ["database"];
  return is_current ? [] : ["schema"];
}

/** How long work may take before it is asked whether the database still answers. */
const PATIENCE_MS = 3_000;

/**
 * Waits for work that needs the database, unless the database stops answering.
 * @throws DatabaseAwayError then; the work goes on, and may still succeed
 */
export async function whileAvailable<Result>(use: DatabaseUse, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const away = new Promise<never>((_resolve, reject) => {
    const ask = async () => {
      if ((await lookAtDatabase(use)).awaySince !== null) reject(new DatabaseAwayError());
    };
    timer = setInterval(() => void ask(), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, away]);
  } finally {
    clearInterval(timer);
  }
}

const UNDEFINED_TABLE = "42P01";

function connectToAsk({ options }: Pool): Pool {
  // Ends what was given up: see `untilLate`.
  const patience = { connectionTimeoutMillis: 3 * ANSWER_MS, query_timeout: 3 * ANSWER_MS };
  const asking = new pg.Pool({ ...options, ...patience, max: 1, allowExitOnIdle: true });
  asking.on("error", () => undefined);
  return asking;
}

/**
 * Rejects after `ANSWER_MS` in which this process worked: one that computed for seconds, or was stopped, may have an answer that it
 * hasn't read yet, so such a time counts as one tick.
 */
function untilLate(): { late: Promise<never>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    let ticks = 0;
    timer = setInterval(() => {
      ticks += 1;
      // After what has arrived is read.
      if (ticks * TICK_MS >= ANSWER_MS)
        setImmediate(() => reject(new Error("The database did not answer in time.")));
    }, TICK_MS);
  });
  late.catch(() => undefined);
  return { late, cancel: () => clearInterval(timer) };
}

async function look({ pool, log }: DatabaseUse, state: Known): Promise<DatabaseLook> {
  const startedAt = Date.now();
  const { asking } = state;
  const { late, cancel } = untilLate();
  const asked = selectAvailability(asking);
  asked.catch(() => undefined);
  const answer = await Promise.race([asked, late]).catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
  cancel();
  const wasAway = state.last !== undefined && state.last.awaySince !== null;
  // A table that this code needs is missing: it is newer than the schema.
  const isOutdated = sqlStateOf(answer) === UNDEFINED_TABLE;
  if (answer instanceof Error && !isOutdated) {
    state.asking = connectToAsk(pool);
    asking.end().catch(() => undefined);
    if (!wasAway) log.error({ err: answer }, "the database is not available");
    const awaySince = state.last?.awaySince ?? startedAt;
    return (state.last = { ...NOTHING_FOUND, at: Date.now(), awaySince });
  }
  if (wasAway) {
    log.info("the database is available again");
    state.backAt = Date.now();
  }
  const schema = answer instanceof Error ? { ...NOTHING_FOUND, is_current: false } : answer;
  if (!schema.is_current && state.last?.is_current !== false)
    log.error("the database's schema is older than this release; migrate it: see docs/production.md");
  return (state.last = { ...schema, at: Date.now(), awaySince: null });
}
