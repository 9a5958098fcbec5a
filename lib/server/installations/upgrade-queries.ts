/** The upgrades of an installation: reading and ending them. */
import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { installations } from "@/drizzle/schema/installations";
import { listings, versions } from "@/drizzle/schema/listings";
import { users } from "@/drizzle/schema/organizations";
import { upgrades } from "@/drizzle/schema/upgrades";
import type { Db } from "../database/connect";
import { isHalted } from "./queries";

export type UpgradeRow = typeof upgrades.$inferSelect;

export async function selectListingVersions(db: Db, listingId: string) {
  return db
    .select({
      versionId: versions.id,
      number: versions.number,
      publishedAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
      listingState: listings.state,
      publisherId: listings.organizationId,
      halted: isHalted,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(eq(versions.listingId, listingId));
}

/** The last upgrade (not rollback) that brought the installation to a version. */
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

/** The upgrade in progress. While it is STARTING, it has not switched yet. */
export async function selectOpenUpgrade(db: Db, installationId: string) {
  const [found] = await db
    .select({ id: upgrades.id, state: upgrades.state })
    .from(upgrades)
    .where(
      and(eq(upgrades.installationId, installationId), inArray(upgrades.state, ["STARTING", "DRAINING"])),
    );
  return found;
}

/** Keeps the instance of a second version alive while an upgrade needs both. */
export async function setOtherVersion(
  tx: Db,
  installationId: string,
  otherVersionId: string | null,
): Promise<void> {
  await tx.update(installations).set({ otherVersionId }).where(eq(installations.id, installationId));
}

/** True if this call moved it; false if something else did first. */
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
