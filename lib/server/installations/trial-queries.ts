import {
  and,
  asc,
  desc,
  eq,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notExists,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { isPublic } from "../catalog/access-queries";
import type { Db } from "../platform/database/connect";

/** Until the transaction ends, so that simultaneous requests can't start more trials than the limits allow. */
export async function lockTrials(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('trials', 0))`);
}

const hasEnded = sql<boolean>`${installations.state} in ('UNINSTALLING', 'UNINSTALLED')`;
const isOpen = and(isNotNull(tenants.trialBy), isNull(tenants.disconnectedAt));

/** The trials that were not removed yet: those of a person, and all. */
export async function countOpenTrials(db: Db, userId: string): Promise<{ ofPerson: number; inAll: number }> {
  return {
    ofPerson: await db.$count(tenants, and(isOpen, eq(tenants.trialBy, userId))),
    inAll: await db.$count(tenants, isOpen),
  };
}

/** What counts as a person's open trials, newest first, in whichever organization. It is still open while the app is being uninstalled. */
export async function selectOpenTrials(db: Db, userId: string) {
  return db
    .select({
      id: installations.id,
      title: listings.title,
      organizationId: organizations.id,
      organizationName: organizations.name,
      isEnding: hasEnded,
    })
    .from(tenants)
    .innerJoin(installations, eq(installations.tenantId, tenants.id))
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, tenants.organizationId))
    .where(and(isOpen, eq(tenants.trialBy, userId)))
    .orderBy(desc(installations.id));
}

/** One of the organization's trials. Its settings are deleted with it. */
export async function selectTrial(db: Db, organizationId: string, id: string) {
  const [found] = await db
    .select({
      id: installations.id,
      listingId: installations.listingId,
      revision: installations.revision,
      linkHash: tenants.trialLinkHash,
      hasEnded,
    })
    .from(installations)
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        eq(installations.id, id),
        eq(installations.organizationId, organizationId),
        isNotNull(tenants.trialEndsAt),
      ),
    );
  return found;
}

/** A trial may run while its time is not over and its version could still be launched. */
const isOver = or(lt(tenants.trialEndsAt, sql`now()`), not(isPublic), isNull(versions.verifiedAt));

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
