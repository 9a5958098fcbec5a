import { and, eq } from "drizzle-orm";
import { configurations, type StoredSetting } from "@/drizzle/schema/installations";
import { users } from "@/drizzle/schema/organizations";
import type { Db } from "../database/connect";

export type { StoredSetting };

export async function insertConfiguration(tx: Db, row: typeof configurations.$inferInsert): Promise<void> {
  await tx.insert(configurations).values(row);
}

/** The settings with their ciphertexts: for the server alone. */
export async function selectConfiguration(db: Db, installationId: string, revision: number) {
  const [row] = await db
    .select({
      revision: configurations.revision,
      settings: configurations.settings,
      mappings: configurations.mappings,
      createdAt: configurations.createdAt,
      createdBy: users.name,
    })
    .from(configurations)
    .innerJoin(users, eq(users.id, configurations.createdBy))
    .where(and(eq(configurations.installationId, installationId), eq(configurations.revision, revision)));
  return row;
}
