import { encode } from "next-auth/jwt";
import { deriveKey } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";

/** The cookie that a browser without HTTPS sends. `lib/server/surface/web/cookies.ts` names it, and needs Next to be loaded. */
export const SESSION_COOKIE = "platform-session";

/** The value of the cookie of a session. */
export function sealSession({ keyring }: Pick<Platform, "keyring">, sessionId: string): Promise<string> {
  const secret = deriveKey(keyring.current, "session-cookie").toString("hex");
  return encode({ token: { sid: sessionId }, secret });
}
