import type { SessionView } from "@/lib/contract/accounts/account";
import type { Pages } from "@/lib/contract/platform/pages";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import { isZone } from "@/lib/contract/platform/time-range";
import { describeDevice } from "@/lib/domain/accounts/sign-in";
import type { Actor } from "@/lib/domain/platform/actor";
import { ID_CURSOR, readPage } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import { selectFirstOrganization } from "./account-queries";
import {
  insertSession,
  revokeOtherSessionRows,
  revokeSessionOfUser,
  revokeSessionRow,
  selectActor,
  selectSessions,
  touchSession,
} from "./sign-in-queries";

/** Lifetime of a session in seconds. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** The precision of "last seen". */
const SEEN_MS = 60_000;

type SignInMethod = "PASSWORD" | "OIDC";

/** A new session for a user who has just authenticated. */
export async function openSession(
  platform: Platform,
  userId: string,
  { network, userAgent }: Client,
  signedInBy: SignInMethod,
): Promise<string> {
  const organizationId = await selectFirstOrganization(platform.db, userId);
  const expiresAt = new Date(Date.now() + SESSION_SECONDS * 1000);
  const row = { userId, organizationId, signedInBy, network, expiresAt, userAgent: userAgent.slice(0, 300) };
  return insertSession(platform.db, row);
}

/** Revokes the session. Later requests with its cookie are refused. */
export async function signOut(platform: Platform, sessionId: string): Promise<void> {
  await revokeSessionRow(platform.db, sessionId);
}

/**
 * The session's user with the current role. Undefined if the session is unknown, expired, or revoked.
 * @param organizationId another organization than the session's; the user may be no member of it
 */
export async function readActor(
  platform: Platform,
  sessionId: string,
  organizationId?: string,
): Promise<Actor | undefined> {
  const row = isId(sessionId) ? await selectActor(platform.db, sessionId, organizationId) : undefined;
  if (row === undefined) return undefined;
  if (Date.now() - row.lastSeenAt.getTime() > SEEN_MS) await touchSession(platform.db, sessionId);
  const { userId, name, email, moderator, organizationId: id, slug, organizationName, role } = row;
  // A name that this version's time zones don't have is as good as none.
  const zone = isZone(row.zone) ? { zone: row.zone } : {};
  const user = { userId, sessionId, name, email, moderator, ...zone };
  if (id === null || slug === null || organizationName === null || role === null) return user;
  const lacksSecondFactor =
    row.requireSecondFactor === true && row.secondFactorSince === null && row.signedInBy === "PASSWORD";
  const organization = { id, slug, name: organizationName, role };
  return {
    ...user,
    lacksSecondFactor,
    organization: row.moderation === true ? { ...organization, moderation: true } : organization,
  };
}

const PAGE = 15;

/**
 * A page of the user's active sessions: the one of this browser, then those that signed in last.
 * @param after `next` of the previous page, from the URL: an invalid one means the first page
 */
export async function listSessions(
  { db }: Platform,
  { userId, sessionId }: Actor,
  after?: string,
): Promise<{ sessions: SessionView[] } & Pages> {
  const { rows: others, ...pages } = await readPage(after, PAGE, ID_CURSOR, (position, limit) =>
    selectSessions(db, userId, { except: sessionId, position, limit }),
  );
  const current = pages.isFirst ? await selectSessions(db, userId, { only: sessionId, limit: 1 }) : [];
  const sessions = [...current, ...others].map(
    ({ id, userAgent, network, signedInBy, createdAt, lastSeenAt }) => ({
      id,
      device: describeDevice(userAgent),
      network,
      signedInBy,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      current: id === sessionId,
    }),
  );
  return { sessions, ...pages };
}

/** Ends a session of the user's own. Throws NOT_FOUND for any other. */
export async function endSession(platform: Platform, actor: Actor, sessionId: string): Promise<void> {
  if (!(await revokeSessionOfUser(platform.db, actor.userId, sessionId))) throw new Problem("NOT_FOUND");
}

/** Ends all sessions of the user except the one that asks. */
export async function endOtherSessions(platform: Platform, actor: Actor): Promise<void> {
  await revokeOtherSessionRows(platform.db, actor.userId, actor.sessionId);
}

/** Where a request that signs in, signs up or sets a password comes from. */
export interface Client {
  /** Of the address: of IPv6 the /64. Empty if it is unknown. */
  network: string;
  userAgent: string;
  /** Users who have signed in with this browser, each with what identifies the browser for them. */
  devices: ReadonlyMap<string, string>;
}

/** Commands and the demo, which act on this machine. */
export const LOCAL_CLIENT: Client = { network: "", userAgent: "", devices: new Map() };
