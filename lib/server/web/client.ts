import { headers } from "next/headers";
import { v7 } from "uuid";
import type { Client } from "../identity/client";
import { toNetwork } from "../limits/network";
import { CLIENT_ADDRESS } from "../limits/read-address";
import { readCookie, setCookie } from "./cookies";

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
