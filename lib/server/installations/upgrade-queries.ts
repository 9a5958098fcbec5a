/** The upgrades of an installation: reading and ending them. */
import { and, desc, eq, inArray, isNotNull, isNull, notInArray, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { users } from "@/drizzle/schema/accounts";
import { routes } from "@/drizzle/schema/calls";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations, upgrades } from "@/drizzle/schema/installations";
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import { firstIdWithin } from "@/lib/contract/platform/text";
import { isNamedFor, isPilotVersion, newestReview } from "../catalog/access-queries";
import type { HookSubject } from "../calls/run-lifecycle-hook";
import type { Db } from "../platform/database/connect";
import { isFree, type Lease, type Leased, leaseTo } from "../platform/lease-queries";
import type { DeclaredRoute } from "./declared-routes";
import { isHalted } from "./queries";

export type UpgradeRow = typeof upgrades.$inferSelect;

interface Asked {
  /** Who asks. */
  organizationId: string;
  /** All by default. */
  chosen?: Chosen | undefined;
}

interface Chosen {
  /**
   * Higher numbers than this one, and verified ones only, except for what a pilot can try; and the highest verified one, whatever its
   * number.
   */
  verifiedAbove?: string;
  /** And these, whatever they are. */
  ids: readonly string[];
}

/** The versions of a listing, or those of them that are chosen. */
export async function selectListingVersions(db: Db, listingId: string, { organizationId, chosen }: Asked) {
  const number = sql`string_to_array(${versions.number}, '.')::numeric[]`;
  const isPilot = isNamedFor("PILOT", organizationId);
  const isAbove =
    chosen?.verifiedAbove === undefined
      ? undefined
      : and(
          or(isNotNull(versions.verifiedAt), and(isPilot, isPilotVersion)),
          sql`${number} > string_to_array(${chosen.verifiedAbove}, '.')::numeric[]`,
        );
  const highest = sql`${versions.id} = (
    select done.id from ${versions} done where done.listing_id = ${listingId} and done.verified_at is not null
     order by string_to_array(done.number, '.')::numeric[] desc limit 1)`;
  const isChosen = chosen && or(isAbove, highest, inArray(versions.id, [...chosen.ids]));
  return db
    .select({
      versionId: versions.id,
      number: versions.number,
      publishedAt: versions.createdAt,
      verifiedAt: versions.verifiedAt,
      review: newestReview(),
      listingState: listings.state,
      publisherId: listings.organizationId,
      halted: isHalted,
      /** The organization is a pilot of the listing. */
      isPilot,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .where(and(eq(versions.listingId, listingId), isChosen));
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

/** Locks the listing, so that it is not suspended between the check and the upgrade. */
export async function lockListing(tx: Db, listingId: string): Promise<void> {
  await tx.select({ id: listings.id }).from(listings).where(eq(listings.id, listingId)).for("share");
}

export async function selectManifest(db: Db, versionId: string) {
  const [found] = await db
    .select({ manifest: versions.manifest })
    .from(versions)
    .where(eq(versions.id, versionId));
  if (found === undefined) throw new Error(`version ${versionId} does not exist`);
  return found.manifest;
}

export async function insertUpgrade(tx: Db, row: typeof upgrades.$inferInsert): Promise<UpgradeRow> {
  const [stored] = await tx.insert(upgrades).values(row).returning();
  if (stored === undefined) throw new Error("the upgrade was not stored");
  return stored;
}

interface Switch {
  from: InstallationState;
  to: InstallationState;
  otherVersionId: string | null;
}

/**
 * Moves an installation to the upgrade's version. False if the installation changed since the upgrade started, or if it
 * runs and the new version's instance is not ready, so that no call can reach it.
 */
export async function moveVersion(
  tx: Db,
  upgrade: UpgradeRow,
  { from, to, otherVersionId }: Switch,
): Promise<boolean> {
  const ready = sql`exists (select 1 from instances n
    where n.version_id = ${upgrade.toVersionId} and n.state = 'READY')`;
  const moved = await tx
    .update(installations)
    .set({
      versionId: upgrade.toVersionId,
      revision: upgrade.toRevision,
      state: to,
      otherVersionId,
      reason: null,
      updatedAt: sql`now()`,
    })
    .where(
      and(
        eq(installations.id, upgrade.installationId),
        eq(installations.state, from),
        eq(installations.versionId, upgrade.fromVersionId),
        eq(installations.revision, upgrade.fromRevision),
        from === "RUNNING" ? ready : undefined,
      ),
    )
    .returning({ id: installations.id });
  return moved.length === 1;
}

/** Removes the routes that a version does not declare. The same kind and path is the same route. */
export async function removeOtherRoutes(
  tx: Db,
  installationId: string,
  declared: readonly DeclaredRoute[],
): Promise<void> {
  const kept = declared.map(({ kind, path }) => `${kind} ${path}`);
  await tx
    .update(routes)
    .set({ removedAt: sql`now()` })
    .where(
      and(
        eq(routes.installationId, installationId),
        isNull(routes.removedAt),
        notInArray(sql`${routes.kind}::text || ' ' || ${routes.path}`, kept),
      ),
    );
}

/** Locks the installation. Transactions that change an installation and its upgrade lock it first. Calls continue meanwhile. */
export async function lockUpgrading(tx: Db, installationId: string): Promise<{ organizationId: string }> {
  const [found] = await tx
    .select({ organizationId: installations.organizationId })
    .from(installations)
    .where(eq(installations.id, installationId))
    .for("no key update");
  if (found === undefined) throw new Error(`installation ${installationId} does not exist`);
  return found;
}

export type ClaimedUpgrade = UpgradeRow & Leased;

/** Claims up to `limit` upgrades in progress. */
export async function claimOpen(db: Db, limit: number, lease: Lease): Promise<ClaimedUpgrade[]> {
  const due = sql`(
    select u.id from upgrades u
     where u.state in ('STARTING', 'DRAINING') and (u.leased_until is null or u.leased_until < now())
     order by u.leased_until nulls first, u.id
     limit ${limit}
     for update of u skip locked)`;
  const claimed = await db
    .update(upgrades)
    .set(leaseTo(lease))
    .where(and(sql`${upgrades.id} in ${due}`, isFree("upgrades")))
    .returning();
  return claimed.map((upgrade) => ({ ...upgrade, claim: lease.claim }));
}

/** The installation as the start hook of its new version sees it. */
export async function selectHookSubject(
  db: Db,
  { installationId, toVersionId, toRevision }: UpgradeRow,
): Promise<HookSubject> {
  const [found] = await db
    .select({
      manifest: versions.manifest,
      lifecycleRouteId: routes.id,
      routeBase: installations.routeBase,
      epoch: installations.keyEpoch,
    })
    .from(versions)
    .innerJoin(installations, eq(installations.id, installationId))
    .innerJoin(routes, and(eq(routes.installationId, installationId), eq(routes.kind, "lifecycle")))
    .where(eq(versions.id, toVersionId));
  if (found === undefined) throw new Error(`installation ${installationId} has no lifecycle route`);
  return { id: installationId, revision: toRevision, ...found };
}

/** False if a command or another worker ended or switched it meanwhile. */
export async function isStarting(tx: Db, id: string): Promise<boolean> {
  return (await tx.$count(upgrades, and(eq(upgrades.id, id), eq(upgrades.state, "STARTING")))) === 1;
}

/** Notes the time again after the switch is committed: from now on, no new call goes to the old instance. */
export async function noteSwitched(db: Db, id: string): Promise<void> {
  await db
    .update(upgrades)
    .set({ switchedAt: sql`now()` })
    .where(and(eq(upgrades.id, id), eq(upgrades.state, "DRAINING")));
}

/**
 * Whether all calls that may have gone to the old instance have finished. A call picks its instance up to `slackSeconds`
 * before its attempt is recorded. An attempt that started longer ago than any call can take belongs to a dead process.
 */
export async function isDrained(db: Db, upgradeId: string, slackSeconds: number): Promise<boolean> {
  const slack = sql`make_interval(secs => ${slackSeconds})`;
  const { rows } = await db.execute<{ drained: boolean }>(sql`
    select u.switched_at + ${slack} < now() and not exists (
             select 1 from attempts a
              where a.installation_id = u.installation_id and a.duration_ms is null
                and a.started_at < u.switched_at + ${slack}
                and a.id > ${firstIdWithin(2 * 60_000)}::uuid
                and a.started_at > now() - interval '2 minutes') as drained
      from upgrades u where u.id = ${upgradeId}`);
  return rows[0]?.drained === true;
}
