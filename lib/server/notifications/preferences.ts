import type { PreferenceInput, PreferenceView } from "@/lib/contract/notification";
import {
  isNotificationKind,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "@/lib/contract/notification-kinds";
import type { Actor } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { savePreference, selectPreferences } from "./preference-queries";

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
