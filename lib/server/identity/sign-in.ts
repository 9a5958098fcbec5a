import { RateLimiterMemory } from "rate-limiter-flexible";
import { isId } from "@/lib/contract/names";
import type { SignInInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { verifyPassword } from "./hash-password";
import {
  insertSession,
  revokeSessionRow,
  selectActor,
  selectFirstOrganization,
  selectUserByEmail,
} from "./queries";

/** Lifetime of a session in seconds. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** At most ten wrong passwords per email address in 15 minutes. Each web process counts separately. */
const failures = new RateLimiterMemory({ points: 10, duration: 15 * 60 });

/** Creates a session. Throws WRONG_CREDENTIALS (also for an unknown email address) or TOO_MANY_REQUESTS. */
export async function signIn(platform: Platform, input: SignInInput): Promise<{ sessionId: string }> {
  const spent = await failures.get(input.email);
  if (spent !== null && spent.remainingPoints <= 0) {
    const minutes = Math.ceil(spent.msBeforeNext / 60_000);
    throw new Problem(
      "TOO_MANY_REQUESTS",
      `Too many failed attempts for this email address. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    );
  }
  const user = await selectUserByEmail(platform.db, input.email);
  if (!(await verifyPassword(user?.passwordHash, input.password)) || user === undefined) {
    await failures.penalty(input.email);
    throw new Problem("WRONG_CREDENTIALS", "Wrong email or password.");
  }
  await failures.delete(input.email);
  const organizationId = await selectFirstOrganization(platform.db, user.id);
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  return { sessionId: await insertSession(platform.db, { userId: user.id, organizationId, expiresAt }) };
}

/** Revokes the session for every later request, whoever still has its cookie. */
export async function signOut(platform: Platform, sessionId: string): Promise<void> {
  await revokeSessionRow(platform.db, sessionId);
}

/** The session's user with the current role. Undefined if the session is unknown, expired, or revoked. */
export async function readActor(platform: Platform, sessionId: string): Promise<Actor | undefined> {
  const row = isId(sessionId) ? await selectActor(platform.db, sessionId) : undefined;
  if (row === undefined) return undefined;
  const {
    userId,
    name,
    email,
    moderator,
    moderation,
    organizationId: id,
    slug,
    organizationName,
    role,
  } = row;
  const user = { userId, sessionId, name, email, moderator };
  if (id === null || slug === null || organizationName === null || role === null) return user;
  const organization = { id, slug, name: organizationName, role };
  return { ...user, organization: moderation === true ? { ...organization, moderation } : organization };
}
