import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { installations, routes, upgrades } from "@/drizzle/schema/installations";
import { listings, versions } from "@/drizzle/schema/listings";
import { users } from "@/drizzle/schema/organizations";
import type { InstallationState } from "@/lib/contract/installation";
import type { Db } from "../database/connect";
import type { DeclaredRoute } from "../installations/declared-routes";

const OPEN = ["STARTING", "DRAINING"] as const;

export type UpgradeRow = typeof upgrades.$inferSelect;

export async function selectListingVersions(db: Db, listingId: string) {
  return db
    .select({
      versionId: versions.id,
      number: versions.number,
      publishedAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
      publisherId: listings.organizationId,
      listingState: listings.state,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.listingId, listingId));
}

/** So that the listing is not suspended between the check and the move. */
export async function holdListing(tx: Db, listingId: string): Promise<void> {
  await tx.select({ id: listings.id }).from(listings).where(eq(listings.id, listingId)).for("share");
}

export async function selectManifest(db: Db, versionId: string) {
  const [found] = await db
    .select({ manifest: versions.manifest })
    .from(versions)
    .where(eq(versions.id, versionId));
  if (found === undefined) throw new Error(`version ${versionId} is gone`);
  return found.manifest;
}

/** How the installation came to a version: the last time that it moved up to it. */
export async function selectArrival(db: Db, installationId: string, versionId: string) {
  const [found] = await db
    .select({ fromVersionId: upgrades.fromVersionId, fromRevision: upgrades.fromRevision })
    .from(upgrades)
    .where(
      and(
        eq(upgrades.installationId, installationId),
        eq(upgrades.toVersionId, versionId),
        eq(upgrades.rollback, false),
        isNotNull(upgrades.switchedAt),
      ),
    )
    .orderBy(desc(upgrades.id))
    .limit(1);
  return found;
}

export async function selectNewestUpgrade(db: Db, installationId: string) {
  const [from, to] = [alias(versions, "from_version"), alias(versions, "to_version")];
  const [found] = await db
    .select({ upgrade: upgrades, from: from.number, to: to.number, startedBy: users.name })
    .from(upgrades)
    .innerJoin(from, eq(from.id, upgrades.fromVersionId))
    .innerJoin(to, eq(to.id, upgrades.toVersionId))
    .innerJoin(users, eq(users.id, upgrades.createdBy))
    .where(eq(upgrades.installationId, installationId))
    .orderBy(desc(upgrades.id))
    .limit(1);
  return found;
}

/** The upgrade that is under way. One that is STARTING has not switched yet. */
export async function selectOpenUpgrade(db: Db, installationId: string) {
  const [found] = await db
    .select({ id: upgrades.id, state: upgrades.state })
    .from(upgrades)
    .where(and(eq(upgrades.installationId, installationId), inArray(upgrades.state, [...OPEN])));
  return found;
}

export async function insertUpgrade(tx: Db, row: typeof upgrades.$inferInsert): Promise<UpgradeRow> {
  const [stored] = await tx.insert(upgrades).values(row).returning();
  if (stored === undefined) throw new Error("the upgrade was not stored");
  return stored;
}

/** Its instance is not ended while it is needed. */
export async function setOtherVersion(
  tx: Db,
  installationId: string,
  otherVersionId: string | null,
): Promise<void> {
  await tx.update(installations).set({ otherVersionId }).where(eq(installations.id, installationId));
}

interface Move {
  state: InstallationState;
  to: { state: InstallationState; otherVersionId: string | null };
}

/**
 * The switch itself. True when the installation was still as it was when the upgrade began and, where it runs, the new
 * version's instance is ready: no call goes to one that is not.
 */
export async function moveVersion(tx: Db, upgrade: UpgradeRow, { state, to }: Move): Promise<boolean> {
  const ready = sql`exists (select 1 from instances n
    where n.version_id = ${upgrade.toVersionId} and n.state = 'READY')`;
  const moved = await tx
    .update(installations)
    .set({
      versionId: upgrade.toVersionId,
      revision: upgrade.toRevision,
      state: to.state,
      otherVersionId: to.otherVersionId,
      reason: null,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(installations.id, upgrade.installationId),
        eq(installations.state, state),
        eq(installations.versionId, upgrade.fromVersionId),
        eq(installations.revision, upgrade.fromRevision),
        state === "RUNNING" ? ready : undefined,
      ),
    )
    .returning({ id: installations.id });
  return moved.length === 1;
}

/** True when this call moved it on; false when it had been moved already. */
export async function moveUpgrade(
  tx: Db,
  id: string,
  from: UpgradeRow["state"],
  to: Pick<UpgradeRow, "state"> & Partial<Pick<UpgradeRow, "reason">>,
): Promise<boolean> {
  const ended = to.state === "DONE" || to.state === "FAILED" ? { endedAt: sql`now()` } : {};
  const switched = from === "STARTING" && to.state !== "FAILED" ? { switchedAt: sql`now()` } : {};
  const moved = await tx
    .update(upgrades)
    .set({ ...to, ...switched, ...ended, leasedUntil: null })
    .where(and(eq(upgrades.id, id), eq(upgrades.state, from)))
    .returning({ id: upgrades.id });
  return moved.length === 1;
}

/** Declared routes keep their `routeId`, or get one; those that were removed once come back as new. */
export async function upsertRoutes(tx: Db, installationId: string, declared: DeclaredRoute[]): Promise<void> {
  await tx
    .insert(routes)
    .values(declared.map((route) => ({ ...route, installationId })))
    .onConflictDoUpdate({
      target: [routes.installationId, routes.kind, routes.path],
      set: {
        name: sql`excluded.name`,
        patterns: sql`excluded.patterns`,
        endedAt: sql`case when ${routes.removedAt} is null then ${routes.endedAt} end`,
        removedAt: null,
      },
    });
}

export async function selectPresentRoutes(db: Db, installationId: string) {
  return db
    .select({ id: routes.id, kind: routes.kind, path: routes.path })
    .from(routes)
    .where(and(eq(routes.installationId, installationId), isNull(routes.removedAt)));
}

export async function removeRoutes(tx: Db, routeIds: string[]): Promise<void> {
  if (routeIds.length === 0) return;
  await tx
    .update(routes)
    .set({ removedAt: sql`now()` })
    .where(inArray(routes.id, routeIds));
}

/** Locks the installation, as everyone does first who changes it and its upgrade. Calls go on meanwhile. */
export async function holdMoving(tx: Db, installationId: string): Promise<{ organizationId: string }> {
  const [found] = await tx
    .select({ organizationId: installations.organizationId })
    .from(installations)
    .where(eq(installations.id, installationId))
    .for("no key update");
  if (found === undefined) throw new Error(`installation ${installationId} is gone`);
  return found;
}
