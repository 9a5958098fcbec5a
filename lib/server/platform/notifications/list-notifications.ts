import type { NotificationFilter, NotificationPage, ReadInput } from "@/lib/contract/platform/notification";
import type { Actor } from "@/lib/domain/platform/actor";
import { byMoment, readPage } from "../database/paging";
import type { Platform } from "../platform";
import { countUnread, markRead, selectNotifications } from "./list-queries";

const PAGE = 30;
/** The bell shows “99+”. */
const MOST_UNREAD = 100;

type NotificationRow = Awaited<ReturnType<typeof selectNotifications>>[number];

const BY_TIME = byMoment<NotificationRow>(({ cursor }) => cursor);

/** What happened, newest first. @param after cursor from the URL; an invalid one means the first page */
export async function listNotifications(
  { db }: Platform,
  actor: Actor,
  filter: NotificationFilter,
  after?: string,
  limit = PAGE,
): Promise<NotificationPage> {
  const [{ rows, ...pages }, unread] = await Promise.all([
    readPage(after, limit, BY_TIME, (position, count) =>
      selectNotifications(db, actor, filter, position, count),
    ),
    countUnread(db, actor, MOST_UNREAD),
  ]);
  return {
    notifications: rows.map(({ updatedAt, readAt, organizationId, organizationName, ...row }) => ({
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
    ...pages,
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
