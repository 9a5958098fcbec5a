import { deriveKey } from "../platform/keyring";
import { webEnvironment, webPlatform } from "./platform";

export type PlatformCookie = "session" | "device";

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
