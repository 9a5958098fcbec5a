import { v7 } from "uuid";
import type { NotificationKind } from "@/lib/contract/notification";
import { oneLine } from "@/lib/domain/one-line";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import { queueNotificationMails, selectPeople, upsertNotifications, type Recipients } from "./queries";

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
   * notification, and is mailed at most once an hour.
   */
  subject?: string;
}

/**
 * Notifies people in the product and by email, as each of them prefers. Call it in the transaction of what it tells, before
 * `recordAudit`.
 */
export async function notify(
  tx: Db,
  { kind, to, title, body = "", href, subject = href }: Notification,
): Promise<void> {
  if (!/^\/(?![/\\])/.test(href))
    throw new Error(`a notification leads to a path of this platform, not to '${href}'`);
  const people = await selectPeople(tx, kind, to);
  const wanted = people.filter((person) => person.inProduct || person.email);
  if (wanted.length === 0) return;
  const content = { title: oneLine(title, TITLE_LENGTH), body: oneLine(body, BODY_LENGTH), href };
  const organizationId = "organizationId" in to ? (to.organizationId ?? null) : null;
  const rows = await upsertNotifications(
    tx,
    wanted.map((person) => ({
      id: v7(),
      userId: person.userId,
      shown: person.inProduct,
      organizationId,
      kind,
      subject,
      ...content,
    })),
  );
  const mailed = new Set(wanted.filter((person) => person.email).map((person) => person.userId));
  const queued = await queueNotificationMails(
    tx,
    rows.filter((row) => mailed.has(row.userId)).map((row) => row.id),
  );
  if (queued > 0) await notifyWorker(tx);
}
