import type { NotificationFilter, NotificationPage, ReadInput } from "@/lib/contract/platform/notification";
import type { Actor } from "@/lib/domain/platform/actor";
import { readMomentCursor, writeMomentCursor } from "../database/expressions";
import type { Platform } from "../platform";
import { countUnread, markRead, selectNotifications } from "./list-queries";

const PAGE = 30;
/** The bell shows “99+”. */
const MOST_UNREAD = 100;

/** What happened, newest first. @param after cursor from the URL; an invalid one means the first page */
export async function listNotifications(
  { db }: Platform,
  actor: Actor,
  filter: NotificationFilter,
  after?: string,
  limit = PAGE,
): Promise<NotificationPage> {
  const [rows, unread] = await Promise.all([
    selectNotifications(db, actor, filter, readMomentCursor(after), limit + 1),
    countUnread(db, actor, MOST_UNREAD),
  ]);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    notifications: rows
      .slice(0, limit)
      .map(({ updatedAt, readAt, organizationId, organizationName, ...row }) => ({
        id: row.id,
        kind: row.kind,
        title: row.title,
        body: row.body,
        href: row.href,
        count: row.count,
        at: updatedAt.toISOString(),
        read: readAt !== null,
        elsewhere:
          organizationId === null || organizationName === null || organizationId === actor.organization?.id
            ? null
            : { id: organizationId, name: organizationName },
      })),
    unread,
    next: last === undefined ? undefined : writeMomentCursor({ id: last.id, at: last.cursor }),
  };
}

/** Only the person's own: others' ids change nothing. */
export async function readNotifications(
  { db }: Platform,
  { userId }: Actor,
  input: ReadInput,
): Promise<void> {
  await markRead(db, userId, input);
}
