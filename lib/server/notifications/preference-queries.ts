import { eq, sql } from "drizzle-orm";
import { notificationPreferences } from "@/drizzle/schema/notifications";
import { NOTIFICATION_KINDS, type NotificationKind } from "@/lib/contract/notification-kinds";
import type { Db } from "../database/connect";

export async function selectPreferences(db: Db, userId: string) {
  const { kind, inProduct, email } = notificationPreferences;
  return db
    .select({ kind, inProduct, email })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId));
}

/** What is not given does not change. */
export async function savePreference(
  tx: Db,
  userId: string,
  kind: NotificationKind,
  change: { inProduct?: boolean; email?: boolean },
): Promise<void> {
  const row = { userId, kind, inProduct: true, email: NOTIFICATION_KINDS[kind].email, ...change };
  // A token may name a person who is gone.
  await tx.execute(sql`
    insert into notification_preferences (user_id, kind, in_product, email)
    select id, ${row.kind}, ${row.inProduct}, ${row.email} from users where id = ${row.userId}
    on conflict (user_id, kind) do update set
      in_product = coalesce(${change.inProduct ?? null}, notification_preferences.in_product),
      email = coalesce(${change.email ?? null}, notification_preferences.email)`);
}
