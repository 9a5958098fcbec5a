/** The emails about accounts. */
import { INVITATION_DAYS } from "@/lib/contract/invitation";
import type { Role } from "@/lib/contract/role";
import { asRole } from "@/lib/domain/role";
import type { Db } from "../database/connect";
import { queueMail } from "../mail/queue-mail";
import { type MailContent, renderMail } from "../mail/render-mail";
import type { Platform } from "../platform/platform";
import { LINK_HOURS } from "./account-links";

interface AccountMail {
  subject: string;
  paragraphs: string[];
  action?: { label: string; href: string };
  /** Why the reader gets it, unless somebody entered the address. */
  reason?: string;
}

/** Without it, links are made by the operator, and addresses are not confirmed. */
export function sendsMail({ environment }: Pick<Platform, "environment">): boolean {
  return environment.PLATFORM_SMTP_URL !== "";
}

/** Does nothing on a platform that sends no email. */
export async function mailAccount(tx: Db, platform: Platform, to: string, mail: AccountMail): Promise<void> {
  if (!sendsMail(platform)) return;
  const origin = platform.environment.PLATFORM_WEB_URL;
  await queueMail(tx, platform.keyring, { to, ...writeAccountMail(origin, mail) });
}

export function writeAccountMail(origin: string, mail: AccountMail): MailContent {
  const reason = "You get this email because someone entered this address on the platform.";
  return renderMail({ origin, reason, ...mail });
}

const LIFETIME = `The link works once, within ${LINK_HOURS} hour.`;
const IGNORE = "If this wasn't you, ignore this email. Nothing changes.";

/** It quotes no input: a stranger may have requested it, and the link works for whoever owns the address. */
export const confirmSignUpMail = (href: string): AccountMail => ({
  subject: "Confirm your email address",
  paragraphs: [
    "Confirm this address to finish signing up. You will be asked for the password that you chose.",
    LIFETIME,
    IGNORE,
  ],
  action: { label: "Confirm address", href },
});

interface InvitationMail {
  invitedBy: string;
  organizationName: string;
  role: Role;
  href: string;
}

export const invitationMail = (invitation: InvitationMail): AccountMail => {
  const { invitedBy, organizationName, role, href } = invitation;
  return {
    subject: `${invitedBy} invites you to ${organizationName}`,
    paragraphs: [
      `${invitedBy} invites you to join ${organizationName} on App Hosting as ${asRole(role)}.`,
      `The link works once, within ${INVITATION_DAYS} days, and only for this address.`,
      "If you weren't expecting this, ignore this email. Nothing changes.",
    ],
    action: { label: "View invitation", href },
  };
};

/** `joins`: an invitation was opened, instead of an organization created. */
export const knownAddressMail = (organizationName: string, href: string, joins = false): AccountMail => ({
  subject: "You already have an account",
  paragraphs: [
    `Someone tried to ${joins ? "join" : "create the organization"} “${organizationName}” with this address, but it already has an account. Sign in with it as usual${joins ? ", and open the invitation again" : ""}. If you don't remember the password, set a new one.`,
    LIFETIME,
    IGNORE,
  ],
  action: { label: "Set a new password", href },
});

export const newPasswordMail = (href: string): AccountMail => ({
  subject: "Set a new password",
  paragraphs: ["Someone asked for a link to set a new password for your account.", LIFETIME, IGNORE],
  action: { label: "Set a new password", href },
});

export const confirmAddressMail = (href: string): AccountMail => ({
  subject: "Confirm your new email address",
  paragraphs: ["Confirm this address to sign in with it from now on.", LIFETIME, IGNORE],
  action: { label: "Confirm address", href },
});

export const takenAddressMail = (): AccountMail => ({
  subject: "This address already has an account",
  paragraphs: [
    "Someone asked to use this address for another account. It already has an account, so nothing was changed.",
  ],
});

/** `what`: a sentence that says what changed. */
export const changedMail = (subject: string, what: string): AccountMail => ({
  subject,
  reason: "You get this email because it is about the security of your account.",
  paragraphs: [
    what,
    "If this wasn't you, set a new password immediately with “Forgot password?” on the sign-in page, and tell an owner of your organization.",
  ],
});
