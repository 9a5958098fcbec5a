import { createHmac, timingSafeEqual } from "node:crypto";
import type { PreferenceInput, PreferenceView } from "@/lib/contract/platform/notification";
import {
  isNotificationKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "@/lib/contract/platform/notification-kinds";
import { Problem } from "@/lib/contract/platform/problem";
import { isId } from "@/lib/contract/platform/text";
import type { Actor } from "@/lib/domain/platform/actor";
import { deriveKey, type Keyring, type MasterKey } from "../keyring";
import type { Platform } from "../platform";
import { savePreference, selectPreferences } from "./list-queries";

/** What the person gets, for each kind that their roles can get. Members of several organizations see all kinds. */
export async function readPreferences({ db }: Platform, actor: Actor): Promise<PreferenceView[]> {
  const chosen = new Map((await selectPreferences(db, actor.userId)).map((row) => [row.kind, row]));
  return Object.keys(NOTIFICATION_KINDS)
    .filter(isNotificationKind)
    .filter((kind) => canGet(actor, kind))
    .map((kind) => {
      const { inProduct = true, email = NOTIFICATION_KINDS[kind].email } = chosen.get(kind) ?? {};
      return { kind, inProduct, email };
    });
}

/** No audit row: it changes nothing but the person's own mailbox. */
export async function changePreference(
  { db }: Platform,
  { userId }: Actor,
  input: PreferenceInput,
): Promise<void> {
  const { kind, ...change } = input;
  await savePreference(db, userId, kind, change);
}

function canGet(actor: Actor, kind: NotificationKind): boolean {
  const { audience } = NOTIFICATION_KINDS[kind];
  if (audience === "everyone") return true;
  if (audience === "moderators") return actor.moderator;
  return actor.organization !== undefined;
}

/** What the link in an email's header says, with which mail readers unsubscribe from its kind without signing in. */
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
