/**
 * Limits on what strangers can try, counted in PostgreSQL for all processes. docs/decisions/026-limits-of-sign-in.md
 * says why.
 */
import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { Problem } from "@/lib/contract/platform/problem";
import type { Foundation, Platform } from "../platform/platform";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How many tries (`points`) in how many seconds (`duration`). */
const LIMITS = {
  /** Wrong passwords in a browser that signed in before. These count nowhere else, so that nobody can lock out the owner. */
  "password-device": { points: 10, duration: 15 * MINUTE },
  /** Wrong passwords for any account, from browsers that never signed in. */
  "password-network": { points: 30, duration: 10 * MINUTE },
  "password-network-account": { points: 10, duration: 15 * MINUTE },
  /** From all networks. Guessing 100 a day takes longer than any password lasts. */
  "password-account": { points: 100, duration: 24 * HOUR },
  /** Wrong codes. Only someone who knows the password gets to try one. */
  "code-device": { points: 5, duration: 15 * MINUTE },
  "code-account": { points: 10, duration: HOUR },
  /** Wrong current passwords of a signed-in user, who may have left the browser open. */
  "current-password": { points: 10, duration: 15 * MINUTE },
  "sign-up-network": { points: 30, duration: HOUR },
  "reset-network": { points: 30, duration: HOUR },
  /** E-mails that a stranger can make us send to one address. The links of all of them work as long as the limit lasts. */
  "mail-address": { points: 3, duration: HOUR },
  "sign-up-mail-network": { points: 3, duration: HOUR },
  "sign-up-mail-address": { points: 10, duration: HOUR },
  "link-network": { points: 30, duration: HOUR },
  /** Reports about listings, which moderators read one by one. */
  "report-account": { points: 5, duration: 24 * HOUR },
  /** Checks of domains that people ask for: each connects to a server that somebody named. */
  "domain-check-organization": { points: 60, duration: HOUR },
  "domain-check-all": { points: 1_000, duration: HOUR },
  /** Trials that a person starts, and that all start: see docs/decisions/053-trials.md. */
  "trial-person": { points: 20, duration: 24 * HOUR },
  "trial-all": { points: 500, duration: HOUR },
  /** Test calls to trials. They run in the same instances as customers' calls. */
  "trial-call-person": { points: 30, duration: MINUTE },
  "trial-call-all": { points: 300, duration: MINUTE },
} as const;

type LimitName = keyof typeof LIMITS;

/** A limit, and whose tries it counts: a network's, an account's, or both. */
export type Counted = readonly [LimitName, ...key: string[]];

export interface CountedTries {
  /** For a try that succeeded. */
  giveBack: () => Promise<void>;
}

/**
 * Counts a try in each of the limits in turn, before it is checked, so that tries at the same time are counted too. Throws
 * TOO_MANY_REQUESTS at the first limit that is used up; those after it do not count the try.
 */
export async function countTry(platform: Platform, counted: readonly Counted[]): Promise<CountedTries> {
  const { tryLimiters } = platform.services;
  for (const [name, ...key] of counted)
    await tryLimiters(name)
      .consume(hashKey(key))
      .catch((refusal: unknown) => refuse(name, refusal));
  return {
    giveBack: async () => {
      for (const [name, ...key] of counted) await tryLimiters(name).reward(hashKey(key));
    },
  };
}

/** The same for limits that the client doesn't learn about: false if one is used up. */
export async function isWithinLimit(platform: Platform, ...counted: readonly Counted[]): Promise<boolean> {
  return countTry(platform, counted).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem) return false;
      throw error;
    },
  );
}

/** What was too much, where it is not attempts to sign in. */
const EXPLAINED: Partial<Record<LimitName, string>> = {
  "report-account": `You reported problems with ${LIMITS["report-account"].points} apps in a day, which is the most that one person can report.`,
  "domain-check-organization": `Your organization checked its domains ${LIMITS["domain-check-organization"].points} times in an hour.`,
  "domain-check-all": "Too many domains are being checked on this platform.",
  "trial-person": `You started ${LIMITS["trial-person"].points} trials in a day.`,
  "trial-all": "Too many trials were started on this platform.",
  "trial-call-person": `You sent ${LIMITS["trial-call-person"].points} calls to trials in a minute.`,
  "trial-call-all": "Too many calls are being sent to trials on this platform.",
};

const ADVICE: Partial<Record<LimitName, string>> = {
  "password-account": " Or use a browser where you have signed in before, or set a new password.",
};

function refuse(name: LimitName, refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  const minutes = Math.ceil(seconds / MINUTE);
  const wait =
    minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
  const detail = `${EXPLAINED[name] ?? "Too many attempts."} Try again in ${wait}.${ADVICE[name] ?? ""}`;
  throw new Problem("TOO_MANY_REQUESTS", detail, [], seconds);
}

type TryLimiters = (name: LimitName) => RateLimiterPostgres;

declare module "../platform/platform" {
  interface Services {
    tryLimiters: TryLimiters;
  }
}

export function createTryLimiters({ pool }: Foundation): TryLimiters {
  const limiters = new Map<LimitName, RateLimiterPostgres>();
  return (name) => {
    const limiter = limiters.get(name) ?? createLimiter(pool, name);
    limiters.set(name, limiter);
    return limiter;
  };
}

function createLimiter(pool: Foundation["pool"], name: LimitName): RateLimiterPostgres {
  const { points, duration } = LIMITS[name];
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: "pool",
    tableName: "rate_limits",
    tableCreated: true,
    // One limiter deletes the expired rows of all.
    clearExpiredByTimeout: name === "password-network",
    keyPrefix: name,
    points,
    duration,
    // A flood is refused without asking the database each time.
    inMemoryBlockOnConsumed: 3 * points,
  });
}

/** Hashed, so that the table does not reveal networks or accounts. */
export function hashKey(key: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}
