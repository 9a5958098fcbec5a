import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import type { Client } from "../identity/client";
import { countTry } from "../identity/count-tries";
import { verifyPassword } from "../identity/hash-password";
import { selectUser } from "../identity/queries";
import type { Platform } from "../platform/platform";

/**
 * So that access to an open browser is not enough to take over an account. Throws BAD_INPUT at `/currentPassword` or
 * TOO_MANY_REQUESTS.
 */
export async function checkCurrentPassword(
  platform: Platform,
  { userId, sessionId }: Pick<Actor, "userId" | "sessionId">,
  password: string,
  { network }: Client,
): Promise<void> {
  const tries = await countTry(platform, [["current-password", sessionId]]);
  const user = await selectUser(platform.db, userId);
  if (!(await verifyPassword(user?.passwordHash, password, network))) {
    const message = "This is not your current password.";
    throw new Problem("BAD_INPUT", message, [{ code: "wrong", pointer: "/currentPassword", message }]);
  }
  await tries.giveBack();
}
