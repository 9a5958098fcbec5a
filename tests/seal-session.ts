import { encode } from "next-auth/jwt";
import { nameCookie } from "@/lib/domain/accounts/sign-in";
import { deriveKey } from "@/lib/server/platform/keyring";
import type { Platform } from "@/lib/server/platform/platform";

/** The name of the cookie that a browser sends. `lib/server/surface/web/cookies.ts` needs Next to be loaded. */
export function sessionCookie({ environment }: Pick<Platform, "environment">): string {
  return nameCookie("session", environment.PLATFORM_WEB_URL);
}

/** The value of the cookie of a session. */
export function sealSession({ keyring }: Pick<Platform, "keyring">, sessionId: string): Promise<string> {
  const secret = deriveKey(keyring.current, "session-cookie").toString("hex");
  return encode({ token: { sid: sessionId }, secret });
}
