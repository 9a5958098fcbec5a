import { sql } from "drizzle-orm";
import { mails } from "@/drizzle/schema/platform";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/contract/platform/notification-kinds";
import type { Db } from "../database/connect";
import { type Lease, type Leased, setLease } from "../lease-queries";
import type { SealedMail } from "./render-mail";
import { DAY_MS, deletePage, inPages, type Page, type Range, type RetentionJob } from "../retention-queries";

export async function insertMail(tx: Db, row: typeof mails.$inferInsert): Promise<void> {
  await tx.insert(mails).values(row);
}

export interface NotifiedPerson {
  notificationId: string;
  userId: string;
  kind: NotificationKind;
  title: string;
  body: string;
  href: string;
  count: number;
  /** When it happened last, in ISO 8601. */
  at: string;
  /** The time zone that the person chose. */
  zone: string | null;
  /** The person has not read it, still wants this kind by email, and may still see it. */
  wanted: boolean;
}

export interface ClaimedMail extends Leased {
  to: string;
  createdAt: Date;
  ageMs: number;
  /** Including this one. */
  attempts: number;
  content: SealedMail | NotifiedPerson;
}

interface ClaimedRow extends Record<string, unknown> {
  id: string;
  to: string;
  createdAt: Date;
  ageMs: number;
  attempts: number;
  sealed: string | null;
  masterKeyId: string | null;
  notified: NotifiedPerson | null;
}

const MAILED_KINDS = Object.entries(NOTIFICATION_KINDS).flatMap(([kind, { email }]) => (email ? [kind] : []));

/** Claims due emails, oldest first. `skip locked`: concurrent workers claim different ones. */
export async function claimMails(db: Db, limit: number, lease: Lease): Promise<ClaimedMail[]> {
  const { rows } = await db.execute<ClaimedRow>(sql`
    with due as (
      select id from mails
       where state = 'QUEUED' and due_at <= now() and (leased_until is null or leased_until < now())
       order by due_at limit ${limit} for update skip locked),
    claimed as (
      update mails m set ${setLease(lease)}, attempts = attempts + 1
        from due where m.id = due.id
      returning m.*)
    select m.id, coalesce(m.recipient, u.email) as "to", m.created_at as "createdAt", m.attempts, m.sealed,
           (extract(epoch from clock_timestamp() - m.created_at) * 1000)::float8 as "ageMs",
           m.master_key_id as "masterKeyId",
           case when n.id is not null then jsonb_build_object(
             'notificationId', n.id, 'userId', n.user_id, 'kind', n.kind, 'title', n.title, 'body', n.body,
             'href', n.href, 'count', n.count, 'at', n.updated_at, 'zone', u.zone,
             'wanted', n.read_at is null and coalesce(p.email, n.kind = any(${sql.param(MAILED_KINDS)}::text[]))
               and (n.organization_id is null or exists (
                 select from memberships s where s.organization_id = n.organization_id and s.user_id = n.user_id)))
           end as notified
      from claimed m
      left join notifications n on n.id = m.notification_id
      left join users u on u.id = n.user_id
      left join notification_preferences p on p.user_id = n.user_id and p.kind = n.kind
     order by m.due_at`);
  return rows.map(({ sealed, masterKeyId, notified, ...row }) => {
    const content = sealed === null || masterKeyId === null ? notified : { sealed, masterKeyId };
    if (content === null) throw new Error(`the mail ${row.id} has no content`);
    return { ...row, createdAt: new Date(row.createdAt), claim: lease.claim, content };
  });
}

/** An email that nobody wants anymore. */
export async function deleteMail(db: Db, { id, claim }: Leased): Promise<void> {
  await db.execute(sql`delete from mails where id = ${id} and leased_by = ${claim} and state = 'QUEUED'`);
}

/** The hour until the next email about the notification starts now. One that is not shown counts as read. */
export async function settleSent(db: Db, { id, claim }: Leased): Promise<void> {
  await db.execute(sql`
    with sent as (
      update mails set state = 'SENT', ended_at = now(), failure = null, ${FORGET}
       where id = ${id} and leased_by = ${claim} and state = 'QUEUED'
      returning notification_id),
    later as (
      update mails m set due_at = greatest(m.due_at, now() + interval '1 hour')
        from sent where m.notification_id = sent.notification_id and m.state = 'QUEUED' and m.id <> ${id}
      returning m.notification_id, m.due_at)
    update notifications n
       set mailed_at = coalesce((select max(due_at) from later), now()),
           read_at = case when n.shown or exists (select from later) then n.read_at else now() end
      from sent where n.id = sent.notification_id`);
}

/** Secrets are gone once an email has ended. */
const FORGET = sql`sealed = null, master_key_id = null, leased_until = null`;

/** Null `waitMs`: the email is dead. */
export async function settleFailed(
  db: Db,
  { id, claim }: Leased,
  failure: string,
  waitMs: number | undefined,
): Promise<void> {
  const next =
    waitMs === undefined
      ? sql`state = 'DEAD', ended_at = now(), ${FORGET}`
      : sql`due_at = now() + make_interval(secs => ${waitMs / 1000}), leased_until = null`;
  await db.execute(sql`
    update mails set failure = ${failure}, ${next}
     where id = ${id} and leased_by = ${claim} and state = 'QUEUED'`);
}

/** Ends what was not sent within its life, such as without a mail server. */
export async function expireMails(db: Db, lifeMs: number, failure: string): Promise<number> {
  const { rowCount } = await db.execute(sql`
    update mails set state = 'DEAD', ended_at = now(), failure = coalesce(failure, ${failure}), ${FORGET}
     where state = 'QUEUED' and created_at < now() - make_interval(secs => ${lifeMs / 1000})
       and (leased_until is null or leased_until < now())`);
  return rowCount ?? 0;
}

/** Deletes emails that ended before `cutoff`. Their texts were deleted when they ended. */
function deleteMails(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  return deletePage(tx, range, sql`mails`, sql`t.ended_at < ${cutoff.toISOString()}`);
}

/** How much longer a notification is kept that nobody read: by default, a year in all. */
const UNREAD_LONGER_MS = 275 * DAY_MS;

/**
 * Deletes notifications that were read before `cutoff`, and unread ones much later, with their emails. Keeps those about problems that
 * are not over.
 */
function deleteNotifications(tx: Db, range: Range, cutoff: Date): Promise<Page> {
  const unread = new Date(cutoff.getTime() - UNREAD_LONGER_MS);
  const isOver = sql`t.updated_at < ${cutoff.toISOString()} and not t.lasts
    and (t.read_at < ${cutoff.toISOString()} or t.updated_at < ${unread.toISOString()})`;
  return deletePage(tx, range, sql`notifications`, isOver);
}

/** In this order, because emails refer to notifications. */
export const NOTIFICATION_RETENTION: RetentionJob[] = [
  inPages("mails", "PLATFORM_KEEP_NOTIFICATIONS_DAYS", deleteMails),
  inPages("notifications", "PLATFORM_KEEP_NOTIFICATIONS_DAYS", deleteNotifications),
];
