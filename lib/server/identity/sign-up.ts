import type { SignUpInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import type { Platform } from "../platform/platform";
import { hashPassword } from "./hash-password";
import { insertMembership, insertOrganization, insertUser } from "./queries";

/** Creates an organization with its first owner. Throws NAME_TAKEN if the slug or the email address is in use. */
export async function signUp(
  platform: Platform,
  input: SignUpInput,
): Promise<{ organizationId: string; userId: string }> {
  const { email, name, organizationName, organizationSlug: slug } = input;
  const passwordHash = await hashPassword(input.password);
  return platform.db.transaction(async (tx) => {
    const organizationId = await insertOrganization(tx, { slug, name: organizationName }).catch(
      refuseTaken("organizationSlug", `The name '${slug}' is already taken. Choose another name.`),
    );
    const userId = await insertUser(tx, { email, name, passwordHash }).catch(
      refuseTaken(
        "email",
        "An account with this email address already exists. Sign in, or use another address.",
      ),
    );
    await insertMembership(tx, organizationId, userId, "owner");
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${userId}`,
      action: "organization.create",
      subject: `organization:${organizationId}`,
      details: { slug },
    });
    return { organizationId, userId };
  });
}

function refuseTaken(field: string, message: string) {
  return (error: unknown): never => {
    if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new Problem("NAME_TAKEN", message, [{ code: "taken", pointer: `/${field}`, message }]);
  };
}

/** Creates a user of the platform's moderation team, who belongs to no organization. */
export async function createModerator(
  platform: Platform,
  { name, email, password }: { name: string; email: string; password: string },
): Promise<{ userId: string }> {
  const passwordHash = await hashPassword(password);
  return platform.db.transaction(async (tx) => {
    const row = { email: email.toLowerCase(), name, passwordHash, moderator: true };
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
