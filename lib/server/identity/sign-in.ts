import { RateLimiterMemory } from "rate-limiter-flexible";
import type { SignInInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import { verifyPassword } from "./hash-password";
import { insertSession, revokeSessionRow, selectFirstOrganization, selectUserByEmail } from "./queries";

/** Seconds that a session lives. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Wrong passwords for one address: ten in a quarter of an hour. Each web process counts its own. */
const failures = new RateLimiterMemory({ points: 10, duration: 15 * 60 });

/** Makes a session. Throws WRONG_CREDENTIALS (the same for an unknown address) or TOO_MANY_REQUESTS. */
export async function signIn(platform: Platform, input: SignInInput): Promise<{ sessionId: string }> {
  const spent = await failures.get(input.email);
  if (spent !== null && spent.remainingPoints <= 0) {
    const minutes = Math.ceil(spent.msBeforeNext / 60_000);
    throw new Problem(
      "TOO_MANY_REQUESTS",
      `Too many wrong passwords for this address. Try again in ${minutes} minutes.`,
    );
  }
  const user = await selectUserByEmail(platform.db, input.email);
  if (!(await verifyPassword(user?.passwordHash, input.password)) || user === undefined) {
    await failures.penalty(input.email);
    throw new Problem("WRONG_CREDENTIALS", "The address or the password is wrong.");
  }
  await failures.delete(input.email);
  const organizationId = await selectFirstOrganization(platform.db, user.id);
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  return { sessionId: await insertSession(platform.db, { userId: user.id, organizationId, expiresAt }) };
}

/** The session is dead for every request from now on, whoever still holds its cookie. */
export async function signOut(platform: Platform, sessionId: string): Promise<void> {
  await revokeSessionRow(platform.db, sessionId);
}
