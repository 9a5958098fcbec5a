import { createTransport, type Transporter } from "nodemailer";
import SMTPConnection from "nodemailer/lib/smtp-connection/index.js";
import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { NOTIFICATION_KINDS } from "@/lib/contract/platform/notification-kinds";
import { MAIL_LIFE_MS, type MailFailure, mailWaitMs } from "@/lib/domain/platform/mail-retry";
import { oneLine } from "@/lib/domain/platform/text";
import { exactTime, readZone } from "@/lib/domain/platform/zone";
import type { Environment } from "../environment";
import type { Keyring } from "../keyring";
import { LEASE_SECONDS, type Pool } from "../lease-loop";
import type { Platform } from "../platform";
import {
  type ClaimedMail,
  claimMails,
  deleteMail,
  expireMails,
  type NotifiedPerson,
  settleFailed,
  settleSent,
} from "./mail-queries";
import { sealUnsubscription } from "./preferences";
import { type MailContent, openMail, renderMail } from "./render-mail";

/** How many emails a worker sends at once. */
const LIMIT = 4;

const FAILURE_LENGTH = 300;

/** Sends queued emails. Undefined without a mail server. */
export function mailPool(
  platform: Platform,
  tls?: SMTPTransport.Options["tls"],
): Pool<ClaimedMail> | undefined {
  if (platform.environment.PLATFORM_SMTP_URL === "") return undefined;
  const options = smtpOptions(platform.environment, tls);
  const smtp = createTransport(options);
  return {
    name: "mails",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => claimMails(platform.db, free, lease),
    handle: async (mail) => {
      if ("notificationId" in mail.content && !mail.content.wanted) return deleteMail(platform.db, mail);
      const failure = await trySend(smtp, options, platform, mail);
      if (failure === undefined) return settleSent(platform.db, mail);
      const waitMs = mailWaitMs(failure, mail.attempts, mail.ageMs, Math.random());
      const { id: mailId, attempts } = mail;
      platform.log.warn({ mailId, attempts, dead: waitMs === undefined, ...failure }, "a mail was not sent");
      await settleFailed(platform.db, mail, failure.reason, waitMs);
    },
  };
}

/** An email that can't be opened now fails like one that can't be sent: its key may come back. */
async function trySend(
  smtp: Transporter<SMTPTransport.SentMessageInfo>,
  options: SMTPTransport.Options,
  platform: Platform,
  mail: ClaimedMail,
): Promise<ReturnType<typeof readFailure> | undefined> {
  try {
    if (needsUtf8(mail.to) && !(await takesUtf8(options))) return { reason: NO_UTF8, ...REFUSED };
    await smtp.sendMail(writeMessage(platform, mail));
    return undefined;
  } catch (error) {
    return readFailure(error);
  }
}

const NO_UTF8 =
  "The mail server (PLATFORM_SMTP_URL) does not support SMTPUTF8, so it can't deliver to an address with letters such as ü before the @. Use another address, or a server that supports it.";

/** As a server refuses a recipient: for good. */
const REFUSED: MailFailure = { responseCode: 553, command: "RCPT TO" };

/** Domains are stored in ASCII, so only the part before the @ can need it. */
function needsUtf8(address: string): boolean {
  return /[^\x20-\x7e]/.test(address);
}

/** nodemailer sends such an address to any server. Some servers accept it, and deliver it to nobody. */
async function takesUtf8(options: SMTPTransport.Options): Promise<boolean> {
  const connection = new SMTPConnection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on("error", reject);
      connection.connect((error) => (error === undefined || error === null ? resolve() : reject(error)));
    });
    return /[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse));
  } finally {
    connection.close();
  }
}

/** Ends emails that could not be sent for a day, and deletes their secrets, with or without a mail server. */
export async function endOldMails({ db }: Platform): Promise<void> {
  await expireMails(db, MAIL_LIFE_MS, "No mail server accepted it within a day.");
}

/** The same for each attempt: an email that arrives twice is recognized by its id. */
function writeMessage({ environment, keyring }: Platform, { id, to, createdAt, content }: ClaimedMail) {
  const { PLATFORM_MAIL_FROM: from, PLATFORM_WEB_URL: origin } = environment;
  const sender = readAddress(from);
  const domain = sender.slice(sender.lastIndexOf("@") + 1);
  const written =
    "notificationId" in content
      ? writeNotificationMail(keyring, new URL(origin).origin, domain, content)
      : { ...openMail(keyring, id, content), headers: {} };
  return {
    ...written,
    from,
    to: { name: "", address: to },
    messageId: `<${id}@${domain}>`,
    date: createdAt,
    headers: { "Auto-Submitted": "auto-generated", ...written.headers },
  };
}

/** In one line, because servers may answer anything. */
function readFailure(error: unknown): MailFailure & { reason: string } {
  const { responseCode, command } = readReply(error);
  const reason = oneLine(error instanceof Error ? error.message : String(error), FAILURE_LENGTH);
  return { reason, responseCode, command };
}

function readReply(error: unknown): MailFailure {
  if (!(error instanceof Error)) return {};
  return {
    responseCode:
      "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : undefined,
    command: "command" in error && typeof error.command === "string" ? error.command : undefined,
  };
}

interface NotificationMail extends MailContent {
  headers: Record<string, string>;
  /** Puts all emails about a notification into one thread. */
  references: string;
}

/** @param domain of the sender's address */
export function writeNotificationMail(
  keyring: Keyring,
  origin: string,
  domain: string,
  { notificationId, userId, kind, title, body, href, count, at, zone }: Omit<NotifiedPerson, "wanted">,
): NotificationMail {
  const unsubscribe = `${origin}/api/unsubscribe/${sealUnsubscription(keyring, { userId, kind })}`;
  const content = renderMail({
    origin,
    subject: title,
    paragraphs: [
      body,
      count > 1 ? `This happened ${count.toLocaleString("en-US")} times since you last looked.` : "",
      `${count > 1 ? "Last at" : "At"} ${exactTime(at, readZone(zone))}.`,
    ],
    action: { label: "Open in App Hosting", href: `${origin}${href}` },
    reason: `You get this email because you receive “${NOTIFICATION_KINDS[kind].title}” notifications by email.`,
    footerLink: { label: "Change what you receive", href: `${origin}/account/notifications` },
  });
  return {
    ...content,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    references: `<${notificationId}@${domain}>`,
  };
}

/** A server that hangs takes one of the pool's places for this long at most. */
const CONNECT_MS = 10_000;
const SILENT_MS = 20_000;

/**
 * A connection for each email, so that a server that restarts or changes costs one attempt.
 * @param tls for tests, whose server has a certificate of its own
 */
function smtpOptions(
  { PLATFORM_SMTP_URL, PLATFORM_SMTP_PLAIN }: Environment,
  tls: SMTPTransport.Options["tls"] = {},
): SMTPTransport.Options {
  const url = new URL(PLATFORM_SMTP_URL);
  const secure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && !PLATFORM_SMTP_PLAIN,
    auth:
      url.username === ""
        ? undefined
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    tls: { minVersion: "TLSv1.2", ...tls },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The address in `Name <address>`. */
function readAddress(from: string): string {
  return /<([^>]+)>$/.exec(from)?.[1] ?? from;
}
