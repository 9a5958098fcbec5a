/** SQL of the worker: claiming and settling installations, and restoring what should run. */
import { and, eq, sql } from "drizzle-orm";
import { routes } from "@/drizzle/schema/calls";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { isMoving, type MovingState } from "@/lib/domain/calls/installation";
import type { HookSubject } from "../../calls/run-lifecycle-hook";
import type { Db } from "../../platform/database/connect";
import { isFree, type Lease, type Leased, leaseTo } from "../../platform/lease-queries";

export interface ClaimedInstallation extends HookSubject, Leased {
  organizationId: string;
  versionId: string;
  state: MovingState;
  installedAt: Date | null;
}

/** At most this many of one organization at a time: apps that hang in their hooks must not delay other organizations. */
const PER_ORGANIZATION = 2;

/** Claims up to `limit` installations that are being launched, stopped or uninstalled. */
export async function claimMoving(db: Db, limit: number, lease: Lease): Promise<ClaimedInstallation[]> {
  const due = sql`(
    select i.id from installations i
     where i.state in ('LAUNCHING', 'STOPPING', 'UNINSTALLING') and (i.leased_until is null or i.leased_until < now())
       and ${PER_ORGANIZATION} > (
         select count(*) from installations other
          where other.organization_id = i.organization_id and other.state in ('LAUNCHING', 'STOPPING', 'UNINSTALLING')
            and (other.leased_until >= now() or (other.updated_at, other.id) < (i.updated_at, i.id)))
     order by i.updated_at, i.id
     limit ${limit}
     for update of i skip locked)`;
  const claimed = await db
    .update(installations)
    .set(leaseTo(lease))
    .from(versions)
    .innerJoin(routes, eq(routes.kind, "lifecycle"))
    .where(
      and(
        sql`${installations.id} in ${due}`,
        isFree("installations"),
        eq(versions.id, installations.versionId),
        eq(routes.installationId, installations.id),
      ),
    )
    .returning({
      id: installations.id,
      organizationId: installations.organizationId,
      versionId: installations.versionId,
      state: installations.state,
      revision: installations.revision,
      epoch: installations.keyEpoch,
      installedAt: installations.installedAt,
      manifest: versions.manifest,
      lifecycleRouteId: routes.id,
      routeBase: installations.routeBase,
    });
  return claimed.flatMap(({ state, ...rest }) =>
    isMoving(state) ? [{ ...rest, state, claim: lease.claim }] : [],
  );
}

/** The install hook succeeded, so it never runs again. */
export async function markInstalled(db: Db, id: string): Promise<void> {
  await db
    .update(installations)
    .set({ installedAt: sql`now()` })
    .where(eq(installations.id, id));
}

/** State and revision now: somebody may have configured or stopped it while its app was starting. */
export async function selectNow(db: Db, id: string) {
  const [found] = await db
    .select({ state: installations.state, revision: installations.revision })
    .from(installations)
    .where(eq(installations.id, id));
  if (found === undefined) throw new Error(`installation ${id} does not exist`);
  return found;
}
