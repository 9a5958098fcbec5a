import { recordAudit } from "../audit/record-audit";
import type { Platform } from "../platform/platform";
import { hashPassword } from "./hash-password";
import { insertUser } from "./queries";

/** A person of the platform's moderation team; of no organization. */
export async function createModerator(
  platform: Platform,
  input: { name: string; email: string; password: string },
): Promise<{ userId: string }> {
  const passwordHash = await hashPassword(input.password);
  return platform.db.transaction(async (tx) => {
    const userId = await insertUser(tx, {
      email: input.email.toLowerCase(),
      name: input.name,
      passwordHash,
      moderator: true,
    });
    await recordAudit(tx, platform.keyring, {
      chain: "platform",
      actor: "operator:command",
      action: "moderator.create",
      subject: `user:${userId}`,
    });
    return { userId };
  });
}
