import { and, eq, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import { versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { type CheckedSetting, configurationChecks } from "@/drizzle/schema/installations-configurations";
import { CHECK_LIFE_SECONDS, type CheckResult } from "@/lib/contract/catalog/configuration";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import type { Db } from "../platform/database/connect";
import { type Lease, type Leased, leaseTo } from "../platform/lease-queries";
import { deletePage, inPages, type Page, type Range } from "../platform/retention-queries";

/** At most this many of one organization at a time: an app that hangs must not delay other organizations. */
const PER_ORGANIZATION = 2;

const OPEN = ["QUEUED", "STARTING", "CALLING"] as const;
const LIFE = sql`make_interval(secs => ${CHECK_LIFE_SECONDS})`;

export interface CheckOwner {
  organizationId: string;
  userId: string;
}

const isOwned = ({ organizationId, userId }: CheckOwner) =>
  and(eq(configurationChecks.organizationId, organizationId), eq(configurationChecks.userId, userId));

export async function insertCheck(tx: Db, row: typeof configurationChecks.$inferInsert): Promise<void> {
  await tx.insert(configurationChecks).values(row);
}

/**
 * Ends a user's checks, or one of them, with their answers and state keys. One that a worker is making stays as `CANCELED` until
 * the app has answered, so that the user's next check waits for it. False if there was none.
 */
export async function dismissChecks(tx: Db, owner: CheckOwner, id?: string): Promise<boolean> {
  const which = and(isOwned(owner), id === undefined ? undefined : eq(configurationChecks.id, id));
  const isIdle = or(isNull(configurationChecks.leasedUntil), lt(configurationChecks.leasedUntil, sql`now()`));
  const canceled = await tx
    .update(configurationChecks)
    .set({ state: "CANCELED", settings: null, mappings: null })
    .where(and(which, ne(configurationChecks.state, "ENDED")))
    .returning({ id: configurationChecks.id });
  const deleted = await tx
    .delete(configurationChecks)
    .where(and(which, isIdle))
    .returning({ id: configurationChecks.id });
  return canceled.length + deleted.length > 0;
}

export async function selectCheck(db: Db, owner: CheckOwner, id: string) {
  const [found] = await db
    .select({
      state: configurationChecks.state,
      result: configurationChecks.result,
      expired: sql<boolean>`${configurationChecks.createdAt} < now() - ${LIFE}`,
    })
    .from(configurationChecks)
    .where(and(eq(configurationChecks.id, id), isOwned(owner)));
  return found;
}

export interface ClaimedCheck extends Leased {
  organizationId: string;
  versionId: string;
  installationId: string | null;
  /** The installation's current revision. */
  revision: number | null;
  settings: Record<string, CheckedSetting>;
  manifest: Manifest;
}

/**
 * Claims up to `limit` checks, the oldest first: one of a user at a time, and a few of an organization. Includes those whose
 * worker died.
 */
export async function claimChecks(db: Db, limit: number, lease: Lease): Promise<ClaimedCheck[]> {
  const isOpen = (name: "c" | "other") =>
    sql`${sql.raw(name)}.state in ('QUEUED', 'STARTING', 'CALLING') and ${sql.raw(name)}.created_at > now() - ${LIFE}`;
  /** Others that are in progress or come first. */
  const isAhead = sql`other.id <> c.id and (other.leased_until >= now()
    or (${isOpen("other")} and (other.created_at, other.id) < (c.created_at, c.id)))`;
  const due = sql`(
    select c.id from configuration_checks c
     where ${isOpen("c")} and (c.leased_until is null or c.leased_until < now())
       and not exists (select 1 from configuration_checks other where other.user_id = c.user_id and ${isAhead})
       and ${PER_ORGANIZATION} > (
         select count(*) from configuration_checks other
          where other.organization_id = c.organization_id and ${isAhead})
     order by c.created_at, c.id
     limit ${limit}
     for update of c skip locked)`;
  const claimed = await db
    .update(configurationChecks)
    .set(leaseTo(lease))
    .from(versions)
    .where(and(sql`${configurationChecks.id} in ${due}`, eq(versions.id, configurationChecks.versionId)))
    .returning({
      id: configurationChecks.id,
      organizationId: configurationChecks.organizationId,
      versionId: configurationChecks.versionId,
      installationId: configurationChecks.installationId,
      revision: sql<number | null>`(
        select i.revision from ${installations} i where i.id = ${configurationChecks.installationId})`,
      settings: configurationChecks.settings,
      manifest: versions.manifest,
    });
  return claimed.flatMap(({ settings, ...check }) =>
    settings === null ? [] : [{ ...check, settings, claim: lease.claim }],
  );
}

const isClaimed = ({ id, claim }: Leased) =>
  and(eq(configurationChecks.id, id), eq(configurationChecks.leasedBy, claim));

/** False if it was canceled, or if another worker took over. */
export async function advanceCheck(db: Db, claimed: Leased, state: "STARTING" | "CALLING"): Promise<boolean> {
  const advanced = await db
    .update(configurationChecks)
    .set({ state })
    .where(and(isClaimed(claimed), inArray(configurationChecks.state, OPEN)))
    .returning({ id: configurationChecks.id });
  return advanced.length === 1;
}

/** Keeps only the result. Of a canceled check, nothing is left. */
export async function endCheck(db: Db, claimed: Leased, result: CheckResult | undefined): Promise<void> {
  if (result !== undefined)
    await db
      .update(configurationChecks)
      .set({ state: "ENDED", settings: null, mappings: null, result, leasedUntil: null, endedAt: sql`now()` })
      .where(and(isClaimed(claimed), inArray(configurationChecks.state, OPEN)));
  await db
    .delete(configurationChecks)
    .where(and(isClaimed(claimed), eq(configurationChecks.state, "CANCELED")));
}

/** Longer than any check takes, and than its page shows its progress. */
const CHECKS_MS = 15 * 60_000;

/** Deletes checks of configurations, with the answers of those that a worker left behind. */
function deleteChecks(tx: Db, range: Range): Promise<Page> {
  return deletePage(tx, range, sql`configuration_checks`, sql`true`);
}

export const CHECK_RETENTION = inPages("configurationChecks", CHECKS_MS, deleteChecks);
