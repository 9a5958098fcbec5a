import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { v7 } from "uuid";
import { memberships, users } from "@/drizzle/schema/accounts";
import { listings, reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { evidence } from "@/drizzle/schema/moderation";
import { notificationPreferences, notifications } from "@/drizzle/schema/platform";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/contract/platform/notification-kinds";
import type { Role } from "@/lib/contract/platform/role";
import type { Db } from "../database/connect";

/** `except`: the person who caused it, who needs no notification. */
export type Recipients = (
  | { organizationId: string; roles?: readonly Role[] }
  /** `organizationId`: only while the person is a member of it. */
  | { userId: string; organizationId?: string }
  | { moderators: true }
) & { except?: string };

/** The people and what each wants of this kind, ordered by id so that concurrent notifications can't deadlock. */
export async function selectPeople(tx: Db, kind: NotificationKind, to: Recipients) {
  const preferences = notificationPreferences;
  return tx
    .select({
      userId: users.id,
      zone: users.zone,
      inProduct: sql<boolean>`coalesce(${preferences.inProduct}, true)`,
      email: sql<boolean>`coalesce(${preferences.email}, ${NOTIFICATION_KINDS[kind].email})`,
    })
    .from(users)
    .leftJoin(preferences, and(eq(preferences.userId, users.id), eq(preferences.kind, kind)))
    .where(and(isRecipient(tx, to), to.except === undefined ? undefined : ne(users.id, to.except)))
    .orderBy(users.id);
}

function isRecipient(tx: Db, to: Recipients) {
  if ("moderators" in to) return eq(users.moderator, true);
  if ("userId" in to) return eq(users.id, to.userId);
  const { organizationId, roles } = to;
  const members = tx
    .select({ id: memberships.userId })
    .from(memberships)
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        roles === undefined ? undefined : inArray(memberships.role, roles),
      ),
    );
  return inArray(users.id, members);
}

/** Inserts the rows, or brings back those about the same subject. */
export async function upsertNotifications(tx: Db, rows: (typeof notifications.$inferInsert)[]) {
  const again = (column: string) => sql.raw(`excluded.${column}`);
  return tx
    .insert(notifications)
    .values(rows)
    .onConflictDoUpdate({
      target: [notifications.userId, notifications.kind, notifications.subject],
      set: {
        title: again("title"),
        body: again("body"),
        href: again("href"),
        organizationId: again("organization_id"),
        shown: again("shown"),
        lasts: again("lasts"),
        count: sql`${again("count")} + case when ${notifications.readAt} is null then ${notifications.count} else 0 end`,
        updatedAt: sql`now()`,
        readAt: null,
      },
    })
    .returning({ id: notifications.id, userId: notifications.userId });
}

/** Marks an ongoing condition of the subject as over, in the order in which `upsertNotifications` locks the rows. */
export async function endNotifications(
  tx: Db,
  kind: NotificationKind,
  subject: string,
  lines: { title: string; body: string },
): Promise<{ id: string; email: boolean }[]> {
  const { rows } = await tx.execute<{ id: string; email: boolean }>(sql`
    with lasting as (
      select id from notifications where kind = ${kind} and subject = ${subject} and lasts
       order by user_id for update)
    update notifications n
       set title = ${lines.title}, body = ${lines.body}, lasts = false, updated_at = now(), read_at = null,
           count = case when n.read_at is null then n.count else 1 end
      from lasting where n.id = lasting.id
    returning n.id, coalesce(
      (select p.email from notification_preferences p where p.user_id = n.user_id and p.kind = n.kind),
      ${NOTIFICATION_KINDS[kind].email}) as email`);
  return rows;
}

/**
 * Queues an email for each notification, at the earliest an hour after its last one. One that is queued and not being sent
 * reports the newest anyway: touching it makes sure that no worker claims it before this transaction ends.
 * @returns how many were queued
 */
export async function queueNotificationMails(tx: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const mailIds = ids.map(() => v7());
  const { rowCount } = await tx.execute(sql`
    with waiting as (
      update mails set due_at = due_at
       where notification_id = any(${sql.param(ids)}::uuid[]) and state = 'QUEUED'
         and (leased_until is null or leased_until < now())
      returning notification_id),
    queued as (
      insert into mails (id, notification_id, due_at)
      select m.id, n.id, greatest(now(), n.mailed_at + interval '1 hour')
        from unnest(${sql.param(mailIds)}::uuid[], ${sql.param(ids)}::uuid[]) m (id, notification_id)
        join notifications n on n.id = m.notification_id
       where n.id not in (select notification_id from waiting)
      returning notification_id, due_at)
    update notifications n set mailed_at = queued.due_at from queued where n.id = queued.notification_id`);
  return rowCount ?? 0;
}

const listing = { organizationId: listings.organizationId, title: listings.title, appName: listings.appName };

export async function selectListingNames(db: Db, listingId: string) {
  const [row] = await db.select(listing).from(listings).where(eq(listings.id, listingId));
  return row;
}

/** `hasCustomers`: it runs for somebody, not only in Test Launches. */
export async function selectVersionNames(db: Db, versionId: string) {
  const [row] = await db
    .select({
      ...listing,
      number: versions.number,
      hasCustomers: sql<boolean>`exists (
        select from installations i where i.version_id = ${versionId} and not i.test
           and i.state in ('LAUNCHING', 'RUNNING', 'ERROR'))`,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.id, versionId));
  return row;
}

/** `name`: the app and its tenant. */
export async function selectInstallationNames(db: Db, installationId: string) {
  const [row] = await db
    .select({
      organizationId: installations.organizationId,
      test: installations.test,
      createdBy: installations.createdBy,
      name: sql<string>`${listings.title} || ' for ' || ${tenants.name}`,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(eq(installations.id, installationId));
  return row;
}

/** What the automatic checks of a review found; undefined if it has ended. */
export async function selectChecks(db: Db, reviewId: string) {
  const [row] = await db
    .select({
      ...listing,
      number: versions.number,
      claimedBy: reviews.claimedBy,
      claimedAt: reviews.claimedAt,
      reason: evidence.reason,
      checks: evidence.checks,
    })
    .from(evidence)
    .innerJoin(reviews, and(eq(reviews.id, evidence.reviewId), eq(reviews.state, "PENDING")))
    .innerJoin(listings, eq(listings.id, reviews.listingId))
    .innerJoin(versions, eq(versions.id, reviews.versionId))
    .where(eq(evidence.reviewId, reviewId));
  return row;
}
