import { cookies } from "next/headers";
import { decode, encode, type JWT } from "next-auth/jwt";
import { deriveKey } from "../platform/keyring";
import { webEnvironment, webPlatform } from "./platform";

/** `newcomer`: what an identity provider says about somebody without an account. */
export type PlatformCookie = "session" | "device" | "newcomer";

export function isSecure(): boolean {
  return webEnvironment().PLATFORM_WEB_URL.startsWith("https:");
}

/** `__Host-` binds a cookie to this exact host. Browsers accept it only over HTTPS. */
export function cookieName(cookie: PlatformCookie): string {
  return isSecure() ? `__Host-platform-${cookie}` : `platform-${cookie}`;
}

/** The first one seals cookies, all of them open cookies, so that rotating the master keys signs nobody out. */
export function cookieSecrets(cookie: PlatformCookie): string[] {
  const masters = [...webPlatform().keyring.byId.values()];
  return masters.map((master) => deriveKey(master, `${cookie}-cookie`).toString("hex"));
}

/** Sets a cookie that only this platform can read and write. It is set once the request in progress is answered. */
export async function setCookie(cookie: PlatformCookie, token: JWT, seconds: number): Promise<void> {
  const [secret = ""] = cookieSecrets(cookie);
  const value = await encode({ token, secret, maxAge: seconds });
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() } as const;
  (await cookies()).set(cookieName(cookie), value, { ...options, maxAge: seconds });
}

/** Null for a cookie that is missing, malformed, foreign, or expired. */
export async function readCookie(cookie: PlatformCookie): Promise<JWT | null> {
  return openCookie(cookie, (await cookies()).get(cookieName(cookie))?.value);
}

/** `value`: of a request that Next does not know as the one in progress. */
export async function openCookie(cookie: PlatformCookie, value: string | undefined): Promise<JWT | null> {
  if (value === undefined) return null;
  for (const secret of cookieSecrets(cookie)) {
    const token = await decode({ token: value, secret }).catch(() => null);
    if (token !== null) return token;
  }
  return null;
}
