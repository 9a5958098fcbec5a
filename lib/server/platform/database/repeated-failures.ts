/**
 * What fails again and again, such as each loop of a process while the database is away, is logged once when it begins, then at most once a
 * minute with how often it happened, and once when it works again.
 */
import type { Logger } from "pino";

export type FailureLog = Pick<Logger, "error" | "warn" | "info">;

const TELL_MS = 60_000;

interface Failing {
  /** When it last began to fail, and how often it has failed since. */
  since: number;
  total: number;
  /** Failures that were not logged yet, and what logs the newest of them. */
  untold: number;
  tell: (facts: object) => void;
  toldAt: number;
  later?: NodeJS.Timeout;
  /** It worked after the newest failure. */
  works: boolean;
  toldThatItWorksAt: number;
}

const byLog = new WeakMap<FailureLog, Map<string, Failing>>();

interface Failure {
  err: unknown;
  /** `error` if absent; `warn` for what is expected to pass. */
  level?: "error" | "warn";
  message: string;
  facts?: object;
}

/** @param kind what fails, such as a job; never with an id. Failures of one kind share a line a minute, whatever caused them */
export function reportFailure(log: FailureLog, kind: string, failure: Failure): void {
  const { err, level = "error", message, facts } = failure;
  const kinds = byLog.get(log) ?? new Map<string, Failing>();
  byLog.set(log, kinds);
  const now = Date.now();
  const known = kinds.get(kind) ?? {
    since: now,
    total: 0,
    untold: 0,
    toldAt: -Infinity,
    works: false,
    toldThatItWorksAt: -Infinity,
    tell: () => undefined,
  };
  kinds.set(kind, known);
  if (known.works) Object.assign(known, { works: false, since: now, total: 0 });
  known.total += 1;
  known.untold += 1;
  known.tell = (more) => log[level]({ err, ...facts, ...more }, message);
  if (now - known.toldAt >= TELL_MS) return tell(known);
  known.later ??= setTimeout(() => {
    tell(known);
    if (known.works) tellThatItWorks(log, kind, known);
  }, TELL_MS).unref();
}

function tell(known: Failing): void {
  clearTimeout(known.later);
  known.later = undefined;
  known.toldAt = Date.now();
  known.tell(known.untold > 1 ? { times: known.untold } : {});
  known.untold = 0;
}

/** To be called after each success of something that is repeated. Cheap while nothing fails. */
export function reportSuccess(log: FailureLog, kind: string): void {
  const known = byLog.get(log)?.get(kind);
  if (known === undefined || known.works) return;
  known.works = true;
  // What fails every other time would write two lines each time.
  if (Date.now() - known.toldThatItWorksAt >= TELL_MS) tellThatItWorks(log, kind, known);
}

function tellThatItWorks(log: FailureLog, kind: string, known: Failing): void {
  clearTimeout(known.later);
  known.later = undefined;
  known.untold = 0;
  known.toldThatItWorksAt = Date.now();
  const seconds = Math.round((Date.now() - known.since) / 1_000);
  log.info({ job: kind, failures: known.total, seconds }, "work succeeds again");
}
