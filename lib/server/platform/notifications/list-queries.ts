import { and, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { memberships, organizations } from "@/drizzle/schema/accounts";
import { notificationPreferences, notifications } from "@/drizzle/schema/platform";
import type { NotificationFilter } from "@/lib/contract/platform/notification";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/contract/platform/notification-kinds";
import type { Actor } from "@/lib/domain/platform/actor";
import type { Db } from "../database/connect";
import {
  isBeyondKey,
  type KeyCursor,
  type Position,
  selectKey,
  sortByKey,
  type Sorting,
} from "../database/paging";

const MODERATORS_KINDS = Object.entries(NOTIFICATION_KINDS).flatMap(([kind, { audience }]) =>
  audience === "moderators" ? [kind] : [],
);

/** Rows that the person may see now: those of organizations that they left, or of a role they lost, are gone. */
function isShownTo(db: Db, { userId, moderator }: Actor) {
  const mine = db
    .select({ id: memberships.organizationId })
    .from(memberships)
    .where(eq(memberships.userId, userId));
  return and(
    eq(notifications.userId, userId),
    notifications.shown,
    or(isNull(notifications.organizationId), inArray(notifications.organizationId, mine)),
    moderator ? undefined : sql`${notifications.kind} <> all(${sql.param(MODERATORS_KINDS)}::text[])`,
  );
}

export const NEWEST: Sorting = { by: notifications.updatedAt, type: "timestamptz", order: "descending" };

const matchesFilter = (db: Db, actor: Actor, { unread, kind }: NotificationFilter) =>
  and(
    isShownTo(db, actor),
    unread === undefined ? undefined : isNull(notifications.readAt),
    kind === undefined ? undefined : eq(notifications.kind, kind),
  );

/** Newest first. */
export async function selectNotifications(
  db: Db,
  actor: Actor,
  filter: NotificationFilter,
  position: Position<KeyCursor> | undefined,
  limit: number,
) {
  return db
    .select({
      id: notifications.id,
      kind: notifications.kind,
      title: notifications.title,
      body: notifications.body,
      href: notifications.href,
      count: notifications.count,
      updatedAt: notifications.updatedAt,
      readAt: notifications.readAt,
      organizationId: notifications.organizationId,
      organizationName: organizations.name,
      cursor: selectKey(NEWEST),
    })
    .from(notifications)
    .leftJoin(organizations, eq(organizations.id, notifications.organizationId))
    .where(and(matchesFilter(db, actor, filter), isBeyondKey(NEWEST, position, notifications.id)))
    .orderBy(...sortByKey(NEWEST, position, notifications.id))
    .limit(limit);
}

/** At most `most`, so that counting costs little. */
export async function countNotifications(
  db: Db,
  actor: Actor,
  filter: NotificationFilter,
  most: number,
): Promise<number> {
  const found = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(matchesFilter(db, actor, filter))
    .limit(most)
    .as("found");
  return db.$count(found);
}

/** Emails that wait about them are dropped when they are due, because they were read. */
export async function markRead(
  db: Db,
  userId: string,
  which: { ids: readonly string[] } | { until: string; kind?: NotificationKind },
): Promise<void> {
  const chosen =
    "ids" in which
      ? inArray(notifications.id, [...which.ids])
      : and(
          sql`date_trunc('milliseconds', ${notifications.updatedAt}) <= ${which.until}::timestamptz`,
          which.kind === undefined ? undefined : eq(notifications.kind, which.kind),
        );
  await db
    .update(notifications)
    .set({ readAt: sql`now()` })
    .where(and(eq(notifications.userId, userId), notifications.shown, isNull(notifications.readAt), chosen));
}

export async function selectPreferences(db: Db, userId: string) {
  const { kind, inProduct, email } = notificationPreferences;
  return db
    .select({ kind, inProduct, email })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId));
}

/** What is not given does not change. */
export async function savePreference(
  tx: Db,
  userId: string,
  kind: NotificationKind,
  change: { inProduct?: boolean; email?: boolean },
): Promise<void> {
  const row = { userId, kind, inProduct: true, email: NOTIFICATION_KINDS[kind].email, ...change };
  // A token may name a person who is gone.
  await tx.execute(sql`
    insert into notification_preferences (user_id, kind, in_product, email)
    select id, ${row.kind}, ${row.inProduct}, ${row.email} from users where id = ${row.userId}
    on conflict (user_id, kind) do update set
      in_product = coalesce(${change.inProduct ?? null}, notification_preferences.in_product),
      email = coalesce(${change.email ?? null}, notification_preferences.email)`);
}
