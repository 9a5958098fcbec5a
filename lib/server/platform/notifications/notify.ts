import { v7 } from "uuid";
import type { NotificationKind } from "@/lib/contract/platform/notification-kinds";
import { oneLine } from "@/lib/domain/platform/text";
import { readZone } from "@/lib/domain/platform/zone";
import type { Db } from "../database/connect";
import { notifyWorker } from "../database/work-channel";
import type { Keyring } from "../keyring";
import { insertMail } from "./mail-queries";
import {
  endNotifications,
  queueNotificationMails,
  type Recipients,
  selectPeople,
  upsertNotifications,
} from "./notify-queries";
import { type MailContent, sealMail } from "./render-mail";

const TITLE_LENGTH = 200;
const BODY_LENGTH = 500;

export interface Notification {
  kind: NotificationKind;
  to: Recipients;
  /** One sentence without a period, such as “Version 1.4.0 of VIN autofill was approved”. With a time, it is written for each zone. */
  title: string | ((zone: string) => string);
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
  /** It lasts until `notifyEnd` reports its end. */
  lasts?: boolean;
}

/**
 * Notifies people in the product and by email, as each of them prefers. Call it in the transaction of the change that
 * it reports, before `recordAudit`.
 */
export async function notify(tx: Db, notification: Notification): Promise<void> {
  const { kind, to, title, body, href, subject = href, times = 1, lasts = false } = notification;
  requirePath(href);
  const people = await selectPeople(tx, kind, to);
  const wanted = people.filter((person) => person.inProduct || person.email);
  if (wanted.length === 0) return;
  const organizationId = "organizationId" in to ? (to.organizationId ?? null) : null;
  const common = { organizationId, kind, subject, href, count: times, lasts };
  const rows = await upsertNotifications(
    tx,
    wanted.map(({ userId, inProduct, zone }) => {
      const lines = toLines({ body, title: typeof title === "string" ? title : title(readZone(zone)) });
      return { id: v7(), userId, shown: inProduct, ...common, ...lines };
    }),
  );
  const mailed = new Set(wanted.filter((person) => person.email).map((person) => person.userId));
  await mailNotifications(
    tx,
    rows.filter((row) => mailed.has(row.userId)),
  );
}

/** Notifies the people who were notified of an ongoing condition, such as an error, that it is over. Nobody else. */
export async function notifyEnd(
  tx: Db,
  { kind, subject, ...lines }: Pick<Notification, "kind" | "body"> & { subject: string; title: string },
): Promise<void> {
  const rows = await endNotifications(tx, kind, subject, toLines(lines));
  await mailNotifications(
    tx,
    rows.filter((row) => row.email),
  );
}

async function mailNotifications(tx: Db, rows: readonly { id: string }[]): Promise<void> {
  const queued = await queueNotificationMails(
    tx,
    rows.map(({ id }) => id),
  );
  if (queued > 0) await notifyWorker(tx);
}

function toLines({ title, body = "" }: { title: string; body?: string }) {
  return { title: oneLine(title, TITLE_LENGTH), body: oneLine(body, BODY_LENGTH) };
}

function requirePath(href: string): void {
  if (!/^\/(?![/\\])/.test(href))
    throw new Error(`a notification leads to a path of this platform, not to '${href}'`);
}

/** One address. A list of them would be several recipients. */
const ADDRESS = /^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+$/;

/**
 * Queues an email in the transaction of the change that it reports: a change that is rolled back sends nothing, and one
 * that is committed is reported even if this process dies. Write the content with `renderMail`. It may contain a
 * secret, such as a link to reset a password: it is sealed, and deleted once the email was sent.
 */
export async function queueMail(
  tx: Db,
  keyring: Keyring,
  { to, ...content }: MailContent & { to: string },
): Promise<void> {
  if (!ADDRESS.test(to)) throw new Error("a mail goes to one address");
  const id = v7();
  await insertMail(tx, { id, recipient: to, ...sealMail(keyring, id, content) });
  await notifyWorker(tx);
}
