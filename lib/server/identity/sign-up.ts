import type { SignUpInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import { recordAudit } from "../audit/record-audit";
import { sqlStateOf, UNIQUE_VIOLATION } from "../database/connect";
import type { Platform } from "../platform/platform";
import { hashPassword } from "./hash-password";
import { insertMembership, insertOrganization, insertUser } from "./queries";

/** A new organization with its first owner. Throws NAME_TAKEN when the slug or the address is in use. */
export async function signUp(
  platform: Platform,
  input: SignUpInput,
): Promise<{ organizationId: string; userId: string }> {
  const passwordHash = await hashPassword(input.password);
  return platform.db.transaction(async (tx) => {
    const organizationId = await insertOrganization(tx, {
      slug: input.organizationSlug,
      name: input.organizationName,
    }).catch(
      refuseTaken(
        "organizationSlug",
        `Another organization is called '${input.organizationSlug}' already. Choose another name.`,
      ),
    );
    const userId = await insertUser(tx, { email: input.email, name: input.name, passwordHash }).catch(
      refuseTaken("email", "This address has an account already. Sign in with it, or use another one."),
    );
    await insertMembership(tx, organizationId, userId, "owner");
    await recordAudit(tx, platform.keyring, {
      chain: organizationId,
      actor: `user:${userId}`,
      action: "organization.create",
      subject: `organization:${organizationId}`,
      details: { slug: input.organizationSlug },
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
