import { mails } from "@/drizzle/schema/notifications";
import type { Db } from "../database/connect";

export async function insertMail(tx: Db, row: typeof mails.$inferInsert): Promise<void> {
  await tx.insert(mails).values(row);
}
