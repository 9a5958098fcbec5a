import { NOTIFICATION_KINDS } from "@/lib/contract/notification-kinds";
import { sealUnsubscription } from "../notifications/unsubscribe";
import type { Keyring } from "../platform/keyring";
import type { NotifiedPerson } from "./queries";
import { renderMail, type MailContent } from "./render-mail";

export interface NotificationMail extends MailContent {
  headers: Record<string, string>;
  /** Puts all emails about a notification into one thread. */
  references: string;
}

/** @param domain of the sender's address */
export function writeNotificationMail(
  keyring: Keyring,
  origin: string,
  domain: string,
  { notificationId, userId, kind, title, body, href, count }: Omit<NotifiedPerson, "wanted">,
): NotificationMail {
  const unsubscribe = `${origin}/api/unsubscribe/${sealUnsubscription(keyring, { userId, kind })}`;
  const content = renderMail({
    origin,
    subject: title,
    paragraphs: [
      body,
      count > 1 ? `This happened ${count.toLocaleString("en-US")} times since you last looked.` : "",
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
