/** The worker's side of an upgrade: what it claims, and when the calls on the old instance have ended. */
import { and, eq, inArray, sql } from "drizzle-orm";
import { installations, routes, upgrades } from "@/drizzle/schema/installations";
import { versions } from "@/drizzle/schema/listings";
import type { Db } from "../../database/connect";
import type { UpgradeRow } from "../queries";

const OPEN = ["STARTING", "DRAINING"] as const;

/** Takes up to `limit` upgrades that are under way, for `leaseSeconds`. */
export async function claimOpen(db: Db, limit: number, leaseSeconds: number): Promise<UpgradeRow[]> {
  const due = sql`(
    select u.id from upgrades u
     where u.state in ('STARTING', 'DRAINING') and (u.leased_until is null or u.leased_until < now())
     order by u.leased_until nulls first, u.id
     limit ${limit}
     for update of u skip locked)`;
  return db
    .update(upgrades)
    .set({ leasedUntil: sql`now() + make_interval(secs => ${leaseSeconds})` })
    .where(sql`${upgrades.id} in ${due}`)
    .returning();
}

/** Holds the claim for so long; also how long nobody looks at it again. */
export async function leaseUpgrade(db: Db, id: string, seconds: number): Promise<void> {
  await db
    .update(upgrades)
    .set({ leasedUntil: sql`now() + make_interval(secs => ${seconds})` })
    .where(and(eq(upgrades.id, id), inArray(upgrades.state, [...OPEN])));
}

/** What the start hook of the new version is called for. */
export async function selectHookSubject(db: Db, { installationId, toVersionId, toRevision }: UpgradeRow) {
  const [found] = await db
    .select({ manifest: versions.manifest, lifecycleRouteId: routes.id, epoch: installations.keyEpoch })
    .from(versions)
    .innerJoin(installations, eq(installations.id, installationId))
    .innerJoin(routes, and(eq(routes.installationId, installationId), eq(routes.kind, "lifecycle")))
    .where(eq(versions.id, toVersionId));
  if (found === undefined) throw new Error(`installation ${installationId} has no lifecycle route`);
  return { id: installationId, revision: toRevision, ...found };
}

/** False when a command, or another worker, ended it or switched it meanwhile. */
export async function isStarting(tx: Db, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: upgrades.id })
    .from(upgrades)
    .where(and(eq(upgrades.id, id), eq(upgrades.state, "STARTING")));
  return found.length === 1;
}

/** Once more after the switch is committed: no call that begins from now on goes to the old instance. */
export async function noteSwitched(db: Db, id: string): Promise<void> {
  await db
    .update(upgrades)
    .set({ switchedAt: sql`now()` })
    .where(and(eq(upgrades.id, id), eq(upgrades.state, "DRAINING")));
}

/**
 * Have the calls ended that may have gone to the old instance? A call chooses where it goes up to `slackSeconds` before
 * its attempt is there to be seen. What was begun longer ago than any call may take was left by a process that died.
 */
export async function isDrained(db: Db, upgradeId: string, slackSeconds: number): Promise<boolean> {
  const slack = sql`make_interval(secs => ${slackSeconds})`;
  const { rows } = await db.execute<{ drained: boolean }>(sql`
    select u.switched_at + ${slack} < now() and not exists (
             select 1 from attempts a
              where a.installation_id = u.installation_id and a.duration_ms is null
                and a.started_at < u.switched_at + ${slack}
                and a.started_at > now() - interval '2 minutes') as drained
      from upgrades u where u.id = ${upgradeId}`);
  return rows[0]?.drained === true;
}
