import { v7 } from "uuid";
import type { NotificationKind } from "@/lib/contract/notification-kinds";
import { oneLine } from "@/lib/domain/one-line";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import {
  endNotifications,
  queueNotificationMails,
  selectPeople,
  upsertNotifications,
  type Recipients,
} from "./queries";

const TITLE_LENGTH = 200;
const BODY_LENGTH = 500;

export interface Notification {
  kind: NotificationKind;
  to: Recipients;
  /** One sentence without a period, such as “Version 1.4.0 of VIN autofill was approved”. */
  title: string;
  body?: string;
  /** A path on this platform. */
  href: string;
  /**
   * What it is about, such as `review:<id>`; the path by default. What happens again to the same subject updates the
   * notification, and is emailed at most once an hour.
   */
  subject?: string;
  /** How often it happened just now; once by default. */
  times?: number;
  /** It goes on until `notifyEnd` says that it ended. */
  lasts?: boolean;
}

/**
 * Notifies people in the product and by email, as each of them prefers. Call it in the transaction of the change that
 * it reports, before `recordAudit`.
 */
export async function notify(tx: Db, notification: Notification): Promise<void> {
  const { kind, to, href, subject = href, times = 1, lasts = false } = notification;
  requirePath(href);
  const people = await selectPeople(tx, kind, to);
  const wanted = people.filter((person) => person.inProduct || person.email);
  if (wanted.length === 0) return;
  const organizationId = "organizationId" in to ? (to.organizationId ?? null) : null;
  const common = { organizationId, kind, subject, href, count: times, lasts, ...toLines(notification) };
  const rows = await upsertNotifications(
    tx,
    wanted.map(({ userId, inProduct }) => ({ id: v7(), userId, shown: inProduct, ...common })),
  );
  const mailed = new Set(wanted.filter((person) => person.email).map((person) => person.userId));
  await queueMails(
    tx,
    rows.filter((row) => mailed.has(row.userId)),
  );
}

/** Notifies the people who were notified of an ongoing condition, such as an error, that it is over. Nobody else. */
export async function notifyEnd(
  tx: Db,
  { kind, subject, ...lines }: Pick<Notification, "kind" | "title" | "body"> & { subject: string },
): Promise<void> {
  const rows = await endNotifications(tx, kind, subject, toLines(lines));
  await queueMails(
    tx,
    rows.filter((row) => row.email),
  );
}

async function queueMails(tx: Db, rows: readonly { id: string }[]): Promise<void> {
  const queued = await queueNotificationMails(
    tx,
    rows.map(({ id }) => id),
  );
  if (queued > 0) await notifyWorker(tx);
}

function toLines({ title, body = "" }: Pick<Notification, "title" | "body">) {
  return { title: oneLine(title, TITLE_LENGTH), body: oneLine(body, BODY_LENGTH) };
}

function requirePath(href: string): void {
  if (!/^\/(?![/\\])/.test(href))
    throw new Error(`a notification leads to a path of this platform, not to '${href}'`);
}
