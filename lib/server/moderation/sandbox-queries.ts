import { and, eq, inArray, like, notInArray, sql } from "drizzle-orm";
import { memberships, organizations, sessions } from "@/drizzle/schema/accounts";
import { installations } from "@/drizzle/schema/installations";
import type { Db } from "../platform/database/connect";

/** The organization in which moderators Test Launch; undefined until the first of them does. */
export async function selectModeration(db: Db) {
  const [found] = await db
    .select({ id: organizations.id, slug: organizations.slug, name: organizations.name })
    .from(organizations)
    .where(eq(organizations.moderation, true));
  return found;
}

export type Moderation = NonNullable<Awaited<ReturnType<typeof selectModeration>>>;

/** Locked until the transaction ends, so that it is created once. */
export async function lockModeration(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('moderation', 0))`);
}

export async function insertModeration(tx: Db, slug: string, name: string): Promise<Moderation> {
  const [stored] = await tx
    .insert(organizations)
    .values({ slug, name, moderation: true })
    .returning({ id: organizations.id, slug: organizations.slug, name: organizations.name });
  if (stored === undefined) throw new Error("the moderators' organization was not stored");
  return stored;
}

export async function selectSlugs(db: Db, prefix: string): Promise<string[]> {
  const rows = await db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(like(organizations.slug, `${prefix}%`));
  return rows.map(({ slug }) => slug);
}

/** False if they were a member already. */
export async function joinModeration(tx: Db, organizationId: string, userId: string): Promise<boolean> {
  const joined = await tx
    .insert(memberships)
    .values({ organizationId, userId, role: "operator" })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return joined.length === 1;
}

export async function moveSession(tx: Db, sessionId: string, organizationId: string): Promise<void> {
  await tx.update(sessions).set({ organizationId }).where(eq(sessions.id, sessionId));
}

/** The moderators' Test Launch of a version that is not being removed. */
export async function selectSandboxLaunch(db: Db, organizationId: string, versionId: string) {
  const [found] = await db
    .select({ id: installations.id })
    .from(installations)
    .where(
      and(
        eq(installations.organizationId, organizationId),
        eq(installations.versionId, versionId),
        notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]),
      ),
    );
  return found?.id;
}

/** The moderators' Test Launches of a listing that are not being removed, locked. */
export async function lockSandboxLaunches(tx: Db, listingId: string) {
  const moderation = tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.moderation, true));
  return tx
    .select({
      id: installations.id,
      organizationId: installations.organizationId,
      state: installations.state,
    })
    .from(installations)
    .where(
      and(
        eq(installations.listingId, listingId),
        inArray(installations.organizationId, moderation),
        notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]),
      ),
    )
    .orderBy(installations.id)
    .for("no key update");
}
