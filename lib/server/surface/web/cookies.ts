import type { Profile } from "next-auth";
import { decode, encode, type JWT } from "next-auth/jwt";
import { cookies, headers } from "next/headers";
import { v7 } from "uuid";
import * as z from "zod";
import type { Client } from "../../accounts/sessions";
import { nameCookie, type PlatformCookie } from "@/lib/domain/accounts/sign-in";
import { deriveKey } from "../../platform/keyring";
import { CLIENT_ADDRESS, toNetwork } from "../../platform/requests/read-request";
import { webEnvironment, webPlatform } from "./platform";

function isSecure(): boolean {
  return webEnvironment().PLATFORM_WEB_URL.startsWith("https:");
}

export function cookieName(cookie: PlatformCookie): string {
  return nameCookie(cookie, webEnvironment().PLATFORM_WEB_URL);
}

/** Only this platform's pages send it, and no script reads it. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() } as const;
}

/** The first one seals cookies, all of them open cookies, so that rotating the master keys signs nobody out. */
export function cookieSecrets(cookie: PlatformCookie): string[] {
  const masters = [...webPlatform().keyring.byId.values()];
  return masters.map((master) => deriveKey(master, `${cookie}-cookie`).toString("hex"));
}

/** Sets a cookie that only this platform can read and write. It is set once the request in progress is answered. */
async function setCookie(cookie: PlatformCookie, token: JWT, seconds: number): Promise<void> {
  const [secret = ""] = cookieSecrets(cookie);
  const value = await encode({ token, secret, maxAge: seconds });
  (await cookies()).set(cookieName(cookie), value, { ...cookieOptions(), maxAge: seconds });
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

/** How long a browser is known, in seconds. */
const DEVICE_SECONDS = 180 * 24 * 60 * 60;

/** Users whose browser this is. The latest ones, so that the cookie stays small. */
const MOST_USERS = 5;

/** Where the request in progress comes from. */
export async function currentClient(): Promise<Client> {
  const sent = await headers();
  return {
    network: toNetwork(sent.get(CLIENT_ADDRESS) ?? ""),
    userAgent: sent.get("user-agent") ?? "",
    devices: await readDevices(),
  };
}

/** Marks the browser of the request in progress as one in which the user signed in. */
export async function rememberDevice(userId: string): Promise<void> {
  const devices = await readDevices();
  const device = devices.get(userId) ?? v7();
  const others = [...devices].filter(([known]) => known !== userId);
  const users = [[userId, device], ...others].slice(0, MOST_USERS);
  await setCookie("device", { users }, DEVICE_SECONDS);
}

/** Empty for a cookie that is missing, malformed, foreign or expired. */
async function readDevices(): Promise<Map<string, string>> {
  const opened = await readCookie("device");
  return new Map(Array.isArray(opened?.users) ? opened.users.filter(isEntry) : []);
}

function isEntry(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}

// The sign-up form is filled in for people who come from the identity provider without an account.

const SECONDS = 15 * 60;

/** A provider may send anything. Anything that doesn't look like a name or an address is not shown. */
const shape = z.object({
  name: z.string().trim().max(100).catch(""),
  email: z.string().trim().max(254).catch(""),
});

/** In a sealed cookie, because URLs end up in logs. It proves nothing: the address is confirmed as every other is. */
export async function keepNewcomer(profile: Profile): Promise<void> {
  await setCookie("newcomer", shape.parse(profile), SECONDS);
}

export async function readNewcomer(): Promise<z.infer<typeof shape>> {
  return shape.parse((await readCookie("newcomer")) ?? {});
}
