import type SMTPTransport from "nodemailer/lib/smtp-transport";
import { mailWaitMs, MAIL_LIFE_MS, type MailFailure } from "@/lib/domain/mail-retry";
import { oneLine } from "@/lib/domain/one-line";
import { LEASE_SECONDS, type Pool } from "../leases/lease-loop";
import type { Platform } from "../platform/platform";
import { claimMails, deleteMail, expireMails, settleFailed, settleSent, type ClaimedMail } from "./queries";
import { writeNotificationMail } from "./notification-mail";
import { openMail } from "./seal-mail";
import { connectSmtp, readAddress } from "./smtp";

/** How many emails a worker sends at once. */
const LIMIT = 4;

const FAILURE_LENGTH = 300;

/** Sends queued emails. Undefined without a mail server. */
export function mailPool(
  platform: Platform,
  tls?: SMTPTransport.Options["tls"],
): Pool<ClaimedMail> | undefined {
  if (platform.environment.PLATFORM_SMTP_URL === "") return undefined;
  const smtp = connectSmtp(platform.environment, tls);
  return {
    name: "mails",
    limit: LIMIT,
    leaseSeconds: LEASE_SECONDS,
    claim: (free, lease) => claimMails(platform.db, free, lease),
    handle: async (mail) => {
      if ("notificationId" in mail.content && !mail.content.wanted) return deleteMail(platform.db, mail);
      const failure = await trySend(smtp, platform, mail);
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
  smtp: ReturnType<typeof connectSmtp>,
  platform: Platform,
  mail: ClaimedMail,
): Promise<ReturnType<typeof readFailure> | undefined> {
  try {
    await smtp.sendMail(writeMessage(platform, mail));
    return undefined;
  } catch (error) {
    return readFailure(error);
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
