import type { SignUpInput } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { type Db, sqlStateOf, UNIQUE_VIOLATION } from "../platform/database/connect";
import type { Platform } from "../platform/platform";
import { recordAudit } from "../platform/record-audit";
import { insertMembership, insertOrganization, insertUser } from "./account-queries";
import { joinOrganization } from "./join-organization";
import { checkStrength, hashPassword } from "./password";

/** The person who signs up, with the hash of the password. */
export interface NewOwner extends Omit<SignUpInput, "password"> {
  passwordHash: string;
  /** If the address was confirmed. */
  emailConfirmedAt?: Date;
}

interface SignedUp {
  organizationId: string;
  userId: string;
}

/** Creates an organization with its first owner at once. Throws NAME_TAKEN if the slug or the email address is in use. */
export async function signUp(platform: Platform, { password, ...input }: SignUpInput): Promise<SignedUp> {
  const passwordHash = await hashPassword(password);
  return platform.db.transaction((tx) => insertOwner(tx, platform, { ...input, passwordHash }));
}

/** An invited person, who creates no organization. */
export interface PendingMember {
  name: string;
  email: string;
  passwordHash: string;
  invitationHash: string;
}

/** Throws NAME_TAKEN if the address is in use, and what `joinOrganization` does. */
export async function insertInvited(
  tx: Db,
  { keyring }: Platform,
  { name, email, passwordHash, invitationHash }: PendingMember,
  emailConfirmedAt?: Date,
): Promise<void> {
  const userId = await insertUser(tx, { email, name, passwordHash, emailConfirmedAt }).catch(emailTaken);
  await joinOrganization(tx, keyring, invitationHash, { userId, name, email });
}

/** Throws NAME_TAKEN if the slug or the email address is in use. */
export async function insertOwner(tx: Db, { keyring }: Platform, owner: NewOwner): Promise<SignedUp> {
  const { email, name, organizationName, organizationSlug: slug, passwordHash, emailConfirmedAt } = owner;
  const organizationId = await insertOrganization(tx, { slug, name: organizationName }).catch(
    refuseTaken("organizationSlug", slugTaken(slug)),
  );
  const userId = await insertUser(tx, { email, name, passwordHash, emailConfirmedAt }).catch(emailTaken);
  await insertMembership(tx, organizationId, userId, "owner");
  await recordAudit(tx, keyring, {
    chain: organizationId,
    actor: `user:${userId}`,
    action: "organization.create",
    subject: `organization:${organizationId}`,
    details: { slug },
  });
  return { organizationId, userId };
}

export function slugTaken(slug: string): string {
  return `The name '${slug}' is already taken. Choose another name.`;
}

function refuseTaken(field: string, message: string) {
  return (error: unknown): never => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw taken(field, message);
  };
}

/** Refuses an address that has an account. */
export const emailTaken = refuseTaken(
  "email",
  "An account with this email address already exists. Sign in, or use another address.",
);

export function taken(field: string, message: string): Problem {
  return new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: `/${field}`, message }]);
}

/** Creates a user of the platform's moderation team, who belongs to no organization. Throws BAD_INPUT for a weak password. */
export async function createModerator(
  platform: Platform,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<{ userId: string }> {
  checkStrength(password, [name, email]);
  const passwordHash = await hashPassword(password);
  return platform.db.transaction(async (tx) => {
    const row = {
      email: email.toLowerCase(),
      emailConfirmedAt: new Date(),
      name,
      passwordHash,
      moderator: true,
    };
    const userId = await insertUser(tx, row);
    await recordAudit(tx, platform.keyring, {
      chain: "platform",
      actor: "operator:command",
      action: "moderator.create",
      subject: `user:${userId}`,
    });
    return { userId };
  });
}
