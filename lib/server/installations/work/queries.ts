/** The worker's side of an installation's life: what it claims, and how it moves it on. */
import { and, desc, eq, inArray, isNull, like, sql } from "drizzle-orm";
import { attempts } from "@/drizzle/schema/deliveries";
import { configurations, installations, routes } from "@/drizzle/schema/installations";
import { versions } from "@/drizzle/schema/listings";
import type { InstallationState } from "@/lib/contract/installation";
import type { LifecycleEvent, Manifest } from "@/lib/contract/manifest";
import type { Db } from "../../database/connect";

const MOVING = ["LAUNCHING", "STOPPING", "UNINSTALLING"] as const;
export type MovingState = (typeof MOVING)[number];

export interface ClaimedInstallation {
  id: string;
  organizationId: string;
  versionId: string;
  state: MovingState;
  revision: number;
  /** Of its state keys when it was claimed: a command that comes meanwhile ends those of this claim's hooks. */
  epoch: number;
  installedAt: Date | null;
  manifest: Manifest;
  lifecycleRouteId: string;
}

/** So many of one organization are moved on at once: apps that hang in their hooks hold up nobody else's. */
const AT_ONCE_OF_ONE = 2;

/** Takes up to `limit` installations that are on their way, for `leaseSeconds`. */
export async function claimMoving(
  db: Db,
  limit: number,
  leaseSeconds: number,
): Promise<ClaimedInstallation[]> {
  const due = sql`(
    select i.id from installations i
     where i.state in ('LAUNCHING', 'STOPPING', 'UNINSTALLING') and (i.leased_until is null or i.leased_until < now())
       and ${AT_ONCE_OF_ONE} > (
         select count(*) from installations other
          where other.organization_id = i.organization_id and other.state in ('LAUNCHING', 'STOPPING', 'UNINSTALLING')
            and (other.leased_until >= now() or (other.updated_at, other.id) < (i.updated_at, i.id)))
     order by i.updated_at, i.id
     limit ${limit}
     for update of i skip locked)`;
  const claimed = await db
    .update(installations)
    .set({ leasedUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .from(versions)
    .innerJoin(routes, eq(routes.kind, "lifecycle"))
    .where(
      and(
        sql`${installations.id} in ${due}`,
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
    });
  return claimed.flatMap(({ state, ...rest }) => (isMoving(state) ? [{ ...rest, state }] : []));
}

function isMoving(state: InstallationState): state is MovingState {
  return MOVING.some((moving) => moving === state);
}

/**
 * Holds the claim while the work goes on, also when somebody asks for another state meanwhile: a hook is under way then,
 * and what is asked for comes after it.
 */
export async function renewLease(db: Db, id: string, leaseSeconds: number): Promise<void> {
  await db
    .update(installations)
    .set({ leasedUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(and(eq(installations.id, id), inArray(installations.state, [...MOVING])));
}

/** Gives the claim back at once: someone asked for another state meanwhile, or the work could not be done. */
export async function dropLease(db: Db, id: string): Promise<void> {
  await db
    .update(installations)
    .set({ leasedUntil: null })
    .where(and(eq(installations.id, id), inArray(installations.state, [...MOVING])));
}

/** True when this call moved it; false when its state was changed meanwhile. */
export async function moveInstallation(
  tx: Db,
  id: string,
  from: MovingState,
  to: InstallationState,
  reason: string | null,
) {
  const moved = await tx
    .update(installations)
    .set({ state: to, reason, leasedUntil: null, updatedAt: sql`now()` })
    .where(and(eq(installations.id, id), eq(installations.state, from)))
    .returning({ id: installations.id });
  return moved.length === 1;
}

/** The install hook has succeeded, whatever comes after: it is not run again. */
export async function markInstalled(db: Db, id: string): Promise<void> {
  await db
    .update(installations)
    .set({ installedAt: sql`now()` })
    .where(eq(installations.id, id));
}

/** As it is now: it may have been configured, or given a command, while its app was being started. */
export async function selectNow(db: Db, id: string) {
  const [found] = await db
    .select({ state: installations.state, revision: installations.revision })
    .from(installations)
    .where(eq(installations.id, id));
  if (found === undefined) throw new Error(`installation ${id} is gone`);
  return found;
}

/** Whether such a hook was called, and never ended as far as is known: its worker died. */
export async function isHookOpen(db: Db, installationId: string, event: LifecycleEvent): Promise<boolean> {
  const open = and(
    eq(attempts.installationId, installationId),
    eq(attempts.kind, "lifecycle"),
    isNull(attempts.durationMs),
    like(attempts.target, `GET /\\_app/${event}?%`),
  );
  return (await db.$count(attempts, open)) > 0;
}

/** Of an installation that is gone, the values that its customer entered are gone too. */
export async function emptySettings(tx: Db, installationId: string): Promise<void> {
  await tx
    .update(configurations)
    .set({ settings: {} })
    .where(eq(configurations.installationId, installationId));
}

/** The path of the lifecycle hook that was tried last, such as `GET /_app/start?route=…`. */
export async function selectLastHook(db: Db, installationId: string): Promise<string | undefined> {
  const [found] = await db
    .select({ target: attempts.target })
    .from(attempts)
    .where(and(eq(attempts.installationId, installationId), eq(attempts.kind, "lifecycle")))
    .orderBy(desc(attempts.id))
    .limit(1);
  return found?.target;
}
