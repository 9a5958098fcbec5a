import type { NotificationFilter, NotificationPage, ReadInput } from "@/lib/contract/platform/notification";
import type { Actor } from "@/lib/domain/platform/actor";
import { byCursor, readPage } from "../database/paging";
import type { Platform } from "../platform";
import { countNotifications, markRead, NEWEST, selectNotifications } from "./list-queries";

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
  const [{ rows, ...pages }, unread] = await Promise.all([
    readPage(after, limit, byCursor(NEWEST), (position, count) =>
      selectNotifications(db, actor, filter, position, count),
    ),
    countNotifications(db, actor, { unread: "1" }, MOST_UNREAD),
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

/** The pages count up to here. */
export const MOST_COUNTED = 1_000;

/** How many there are of a kind, or of all: in all, and unread ones. */
export async function countByState({ db }: Platform, actor: Actor, { kind }: NotificationFilter) {
  const [all, unread] = await Promise.all([
    countNotifications(db, actor, { kind }, MOST_COUNTED),
    countNotifications(db, actor, { kind, unread: "1" }, MOST_COUNTED),
  ]);
  return { all, unread };
}

/** Only the person's own: others' ids change nothing. */
export async function readNotifications(
  { db }: Platform,
  { userId }: Actor,
  input: ReadInput,
): Promise<void> {
  await markRead(db, userId, input);
}
