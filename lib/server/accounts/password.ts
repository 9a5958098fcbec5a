import { hash, verify } from "@node-rs/argon2";
import { password as passwordShape } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { findWeakness, preparePassword } from "@/lib/domain/accounts/sign-in";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Platform } from "../platform/platform";
import { createShare } from "../platform/requests/share";
import { replacePasswordHash, selectUser } from "./account-queries";
import { countTry } from "./count-tries";
import type { Client } from "./sessions";

/** OWASP's minimum for argon2id, which is the package's default algorithm. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Each hash takes a core and 19 MB for a moment. Two run at once, one of each network, and networks take turns, so that a flood
 * from one of them does not slow the others or use up the threads that read files.
 */
const places = createShare({ total: 2, perKey: 1, queue: 128, queuePerKey: 32, longestWaitMs: 10_000 });

/** For commands and the demo, which don't compete with requests. */
const OWN_NETWORK = "this process";

/** `network`: whose turn it is. Throws OVERLOADED if too many wait. */
export function hashPassword(password: string, network: string = OWN_NETWORK): Promise<string> {
  return inTurn(network, () => hash(preparePassword(password), COST));
}

let decoy: Promise<string> | undefined;

/** Takes as long for an unknown user (`stored` undefined) as for a wrong password. Throws OVERLOADED if too many wait. */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  network: string,
): Promise<boolean> {
  return (await compare(stored, password, network)).matches;
}

/** `verifyPassword` of a user. A hash from before passwords were normalized is replaced, so that any keyboard can type the password. */
export async function verifyUser(
  { db }: Platform,
  user: { id: string; passwordHash: string } | undefined,
  password: string,
  network: string,
): Promise<boolean> {
  const { matches, normalized } = await compare(user?.passwordHash, password, network);
  if (user !== undefined && normalized !== undefined)
    await replacePasswordHash(db, user.id, user.passwordHash, normalized);
  return matches;
}

/**
 * Compares the normalized password, and only if that differs and is wrong, the password as it was typed. Both are the same guess for
 * the limits, and whether there are two depends on the typed password alone, not on the user.
 */
async function compare(
  stored: string | undefined,
  password: string,
  network: string,
): Promise<{ matches: boolean; normalized?: string }> {
  decoy ??= hash("nobody's password", COST);
  const known = stored ?? (await decoy);
  return inTurn(network, async () => {
    const prepared = preparePassword(password);
    if (await verify(known, prepared)) return { matches: stored !== undefined };
    if (prepared === password || !(await verify(known, password))) return { matches: false };
    return stored === undefined
      ? { matches: false }
      : { matches: true, normalized: await hash(prepared, COST) };
  });
}

async function inTurn<Result>(network: string, work: () => Promise<Result>): Promise<Result> {
  const entry = await places.enter(network);
  if (!("leave" in entry)) {
    const { retryAfterSeconds } = entry;
    const detail = `Too many people are signing in at the same time. Try again in ${retryAfterSeconds} seconds.`;
    throw new Problem("OVERLOADED", detail, [], retryAfterSeconds);
  }
  try {
    return await work();
  } finally {
    entry.leave();
  }
}

/** Throws BAD_INPUT at `/password` for a password that is easy to guess. `about`: the user's name and address. */
export function checkStrength(password: string, about: readonly string[]): void {
  const prepared = preparePassword(password);
  // A letter and its accent are one character.
  const message =
    passwordShape.safeParse(prepared).error?.issues[0]?.message ?? findWeakness(prepared, about);
  if (message !== undefined)
    throw new Problem("BAD_INPUT", message, [{ code: "weak", pointer: "/password", message }]);
}

/**
 * So that access to an open browser is not enough to take over an account. Throws BAD_INPUT at `/currentPassword` or
 * TOO_MANY_REQUESTS.
 */
export async function checkCurrentPassword(
  platform: Platform,
  { userId, sessionId }: Pick<Actor, "userId" | "sessionId">,
  password: string,
  { network }: Client,
): Promise<void> {
  const tries = await countTry(platform, [["current-password", sessionId]]);
  const user = await selectUser(platform.db, userId);
  if (!(await verifyUser(platform, user, password, network))) {
    const message = "This is not your current password.";
    throw new Problem("BAD_INPUT", message, [{ code: "wrong", pointer: "/currentPassword", message }]);
  }
  await tries.giveBack();
}
