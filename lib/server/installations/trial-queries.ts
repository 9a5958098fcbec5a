import { and, asc, eq, isNotNull, isNull, lt, ne, notExists, notInArray, or, sql } from "drizzle-orm";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations, tenants } from "@/drizzle/schema/installations";
import type { Db } from "../platform/database/connect";

/** Until the transaction ends, so that simultaneous requests can't start more trials than the limits allow. */
export async function lockTrials(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('trials', 0))`);
}

const isOpen = and(isNotNull(tenants.trialBy), isNull(tenants.disconnectedAt));

/** The trials that were not removed yet: those of a person, and all. */
export async function countOpenTrials(db: Db, userId: string): Promise<{ ofPerson: number; inAll: number }> {
  return {
    ofPerson: await db.$count(tenants, and(isOpen, eq(tenants.trialBy, userId))),
    inAll: await db.$count(tenants, isOpen),
  };
}

/** One of the organization's trials that still has its settings. */
export async function selectOpenTrial(db: Db, organizationId: string, id: string) {
  const [found] = await db
    .select({
      id: installations.id,
      listingId: installations.listingId,
      revision: installations.revision,
    })
    .from(installations)
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        eq(installations.id, id),
        eq(installations.organizationId, organizationId),
        isNotNull(tenants.trialEndsAt),
        notInArray(installations.state, ["UNINSTALLING", "UNINSTALLED"]),
      ),
    );
  return found;
}

/** A trial may run while its time is not over and everyone could still launch its version. */
const isOver = or(
  lt(tenants.trialEndsAt, sql`now()`),
  ne(listings.state, "PUBLIC"),
  isNull(versions.verifiedAt),
);

/** Trials that must end, oldest first. */
export async function selectOverdueTrials(db: Db, limit: number) {
  return db
    .select({
      id: installations.id,
      organizationId: installations.organizationId,
      state: installations.state,
      expired: sql<boolean>`${tenants.trialEndsAt} < now()`,
    })
    .from(installations)
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .where(
      and(
        isOpen,
        isOver,
        // The others are on the way already, or can only be ended after they stopped.
        notInArray(installations.state, ["STOPPING", "UNINSTALLING", "UNINSTALLED"]),
      ),
    )
    .orderBy(asc(tenants.trialEndsAt))
    .limit(limit);
}

/** Whether a trial may start again. */
export async function isTrialOver(tx: Db, installationId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: installations.id })
    .from(installations)
    .innerJoin(tenants, and(eq(tenants.id, installations.tenantId), isNotNull(tenants.trialEndsAt)))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(versions, eq(versions.id, installations.versionId))
    .where(and(eq(installations.id, installationId), isOver));
  return found !== undefined;
}

/** Tenants of trials whose app is uninstalled. */
export async function selectLeftTenants(db: Db, limit: number) {
  const running = db
    .select({ id: installations.id })
    .from(installations)
    .where(and(eq(installations.tenantId, tenants.id), ne(installations.state, "UNINSTALLED")));
  return db
    .select({ id: tenants.id, organizationId: tenants.organizationId, hostName: tenants.hostName })
    .from(tenants)
    .where(and(isOpen, notExists(running)))
    .limit(limit);
}
