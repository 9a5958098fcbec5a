/** The link in an email's header with which mail readers unsubscribe from its kind, without signing in. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { isNotificationKind, type NotificationKind } from "@/lib/contract/notification-kinds";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import { deriveKey, type Keyring, type MasterKey } from "../platform/keyring";
import type { Platform } from "../platform/platform";
import { savePreference } from "./preference-queries";

interface Unsubscription {
  userId: string;
  kind: NotificationKind;
}

export function sealUnsubscription({ current }: Keyring, unsubscription: Unsubscription): string {
  const { userId, kind } = unsubscription;
  return `${userId}.${kind}.${sign(current, unsubscription).toString("base64url")}`;
}

/** Ends emails of this kind; the notifications in the product remain. Throws NOT_FOUND for a forged token. */
export async function unsubscribe(platform: Platform, token: string): Promise<void> {
  const unsubscription = openUnsubscription(platform.keyring, token);
  if (unsubscription === undefined) throw new Problem("NOT_FOUND");
  const { userId, kind } = unsubscription;
  await savePreference(platform.db, userId, kind, { email: false });
}

function openUnsubscription({ byId }: Keyring, token: string): Unsubscription | undefined {
  const [userId = "", kind = "", seal = ""] = token.split(".");
  if (!isId(userId) || !isNotificationKind(kind)) return undefined;
  const given = Buffer.from(seal, "base64url");
  const isSealedBy = (master: MasterKey) => {
    const expected = sign(master, { userId, kind });
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return [...byId.values()].some(isSealedBy) ? { userId, kind } : undefined;
}

function sign(master: MasterKey, { userId, kind }: Unsubscription): Buffer {
  return createHmac("sha256", deriveKey(master, "unsubscribe")).update(`${userId}.${kind}`).digest();
}
