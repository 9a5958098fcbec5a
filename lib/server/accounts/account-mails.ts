/** Single-use links of accounts, and the emails that carry them. Only a hash of a link's token is stored. */
import { createHash, randomBytes } from "node:crypto";
import { INVITATION_DAYS } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import type { Role } from "@/lib/contract/platform/role";
import { asRole } from "@/lib/domain/accounts/organization";
import type { Db } from "../platform/database/connect";
import { queueMail } from "../platform/notifications/notify";
import { type MailContent, renderMail } from "../platform/notifications/render-mail";
import type { Platform } from "../platform/platform";
import { deleteLink, deleteLinksOfUser, insertLink, type LinkKind, selectLink } from "./account-queries";

const LINK_HOURS = 1;

const PATHS = {
  SIGN_UP: "/sign-up/confirm",
  EMAIL_CHANGE: "/confirm-email",
  NEW_PASSWORD: "/new-password",
} as const satisfies Record<LinkKind, string>;

interface NewLink {
  kind: LinkKind;
  userId?: string;
  content?: Record<string, string>;
}

/** When a link that is made now stops working. */
export function linkEnd(): Date {
  return new Date(Date.now() + LINK_HOURS * 3_600_000);
}

/** The URL of a new link. The token is in its fragment, which browsers send to nobody, so that no log contains it. */
export async function createLink(tx: Db, webUrl: string, link: NewLink): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await insertLink(tx, { content: {}, ...link, hash: hashToken(token), expiresAt: linkEnd() });
  return `${new URL(PATHS[link.kind], webUrl).href}#${token}`;
}

/** What a link is for, without using it up. Throws as `takeLink`. */
export async function readLink(db: Db, kind: LinkKind, token: string) {
  return (await selectLink(db, kind, hashToken(token))) ?? refuseLink();
}

/** Uses the link up. Throws NOT_FOUND for a link that is unknown, expired or used, which all look the same. */
export async function takeLink(tx: Db, kind: LinkKind, token: string) {
  return (await deleteLink(tx, kind, hashToken(token))) ?? refuseLink();
}

function refuseLink(): never {
  throw new Problem(
    "NOT_FOUND",
    `This link was already used, or it is more than ${LINK_HOURS} hour old. Ask for a new one.`,
  );
}

/** A new password or address makes the other links of its user worthless. */
export async function endLinks(tx: Db, userId: string): Promise<void> {
  await deleteLinksOfUser(tx, userId);
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

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

/** It quotes no input: a stranger may have requested it, and only the owner of the address can use the link. */
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
