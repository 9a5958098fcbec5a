import { and, eq, gt, sql } from "drizzle-orm";
import { invitations, memberships, users } from "@/drizzle/schema/accounts";
import type { Db } from "../platform/database/connect";
import { isBeyondId, type Position, sortBy } from "../platform/database/paging";
import { isPending } from "./member-queries";
import { inPages, type Page, type Range, runPage } from "../platform/retention-queries";

export async function insertInvitation(tx: Db, row: typeof invitations.$inferInsert): Promise<string> {
  const [invitation] = await tx.insert(invitations).values(row).returning({ id: invitations.id });
  if (invitation === undefined) throw new Error("the invitation was not stored");
  return invitation.id;
}

/** Pending and expired ones. */
const isOpen = (organizationId: string) => and(eq(invitations.organizationId, organizationId), isPending);

export async function countInvitations(db: Db, organizationId: string): Promise<number> {
  return db.$count(invitations, isOpen(organizationId));
}

/** Newest first. */
export async function selectInvitations(
  db: Db,
  organizationId: string,
  { position, limit }: { position?: Position<string>; limit: number },
) {
  return db
    .select({
      id: invitations.id,
      role: invitations.role,
      email: invitations.email,
      invitedBy: users.name,
      createdAt: invitations.createdAt,
      expiresAt: invitations.expiresAt,
      hasExpired: sql<boolean>`${invitations.expiresAt} <= now()`,
    })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(isOpen(organizationId), isBeyondId(position, invitations.id, "descending")))
    .orderBy(...sortBy("descending", position, invitations.id))
    .limit(limit);
}

export async function countWorking(tx: Db, organizationId: string): Promise<number> {
  return tx.$count(invitations, and(isOpen(organizationId), gt(invitations.expiresAt, sql`now()`)));
}

const isOwn = (organizationId: string, id: string) => and(eq(invitations.id, id), isOpen(organizationId));

/** False if it is another organization's, or was used or revoked. */
export async function revokeInvitationRow(tx: Db, organizationId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(isOwn(organizationId, id));
  return rowCount === 1;
}

/** Revokes what the address was invited with before. */
export async function revokeEarlier(tx: Db, organizationId: string, email: string): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.email, email), isPending));
}

/** Replaces the link, so that the old one stops working. The person who renews it becomes the inviter. */
export async function renewInvitationRow(
  tx: Db,
  organizationId: string,
  id: string,
  values: { tokenHash: string; expiresAt: Date; invitedBy: string },
) {
  const [renewed] = await tx
    .update(invitations)
    .set(values)
    .where(isOwn(organizationId, id))
    .returning({ role: invitations.role, email: invitations.email });
  return renewed;
}

export async function isMemberAddress(tx: Db, organizationId: string, email: string): Promise<boolean> {
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(and(eq(users.email, email), eq(memberships.organizationId, organizationId)));
  return found.length > 0;
}

/**
 * Deletes the addresses of invitations that ended before `cutoff`, and ends those that expired: without an address, a
 * renewed link would let anyone in.
 */
function forgetInvitations(tx: Db, { after, before, limit }: Range, cutoff: Date): Promise<Page> {
  return runPage(
    tx,
    sql`
      with old as (
             select id from invitations
              where id > ${after} and id < ${before}
                and least(accepted_at, revoked_at, expires_at) < ${cutoff.toISOString()}
                and (email is not null or (accepted_at is null and revoked_at is null))
              order by id limit ${limit} for update skip locked),
           gone as (
             update invitations i
                set email = null,
                    revoked_at = case when accepted_at is null then coalesce(revoked_at, now()) end
               from old where i.id = old.id
             returning i.id)
      select (select count(*)::int from gone) as deleted, (select id from gone order by id desc limit 1) as last`,
  );
}

export const INVITATION_RETENTION = inPages(
  "invitations",
  "PLATFORM_KEEP_INVITATIONS_DAYS",
  forgetInvitations,
);
