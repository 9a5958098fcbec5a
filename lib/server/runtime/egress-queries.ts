import { and, eq, inArray, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import { reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { configurationChecks, configurations } from "@/drizzle/schema/installations-configurations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import { evidence } from "@/drizzle/schema/moderation";
import type { Db } from "../platform/database/connect";

/** @param ids of versions, and of automatic checks, which run a version for made-up customers */
export async function selectManifests(db: Db, ids: readonly string[]) {
  const found = { versionId: versions.id, manifest: versions.manifest };
  const [own, checked] = await Promise.all([
    db
      .select({ id: versions.id, ...found })
      .from(versions)
      .where(inArray(versions.id, [...ids])),
    db
      .select({ id: evidence.id, ...found })
      .from(evidence)
      .innerJoin(reviews, eq(reviews.id, evidence.reviewId))
      .innerJoin(versions, eq(versions.id, reviews.versionId))
      .where(inArray(evidence.id, [...ids])),
  ]);
  return [...own, ...checked];
}

const isUsed = notInArray(installations.state, ["UNINSTALLED"]);

/** The app may be asked about these answers. Ended checks wait for their removal. */
const isOpenCheck = ne(configurationChecks.state, "ENDED");

export interface CoreOfVersion {
  versionId: string | null;
  url: string;
  /** The tenant is on the platform's own core. */
  sandbox: boolean;
}

/** The cores of tenants that have an installation of the version, move to it, or check answers with it. */
export async function selectCoresOf(db: Db, versionIds: readonly string[]): Promise<CoreOfVersion[]> {
  const ids = [...versionIds];
  const core = { url: tenants.coreApiUrl, sandbox: tenants.sandbox };
  const installed = (column: typeof installations.versionId | typeof installations.otherVersionId) =>
    db
      .selectDistinct({ versionId: column, ...core })
      .from(installations)
      .innerJoin(tenants, eq(tenants.id, installations.tenantId))
      .where(and(inArray(column, ids), isUsed, isNull(tenants.disconnectedAt)));
  const checked = db
    .selectDistinct({ versionId: configurationChecks.versionId, ...core })
    .from(configurationChecks)
    .innerJoin(tenants, eq(tenants.id, configurationChecks.tenantId))
    .where(and(inArray(configurationChecks.versionId, ids), isOpenCheck, isNull(tenants.disconnectedAt)));
  const [current, other, checking] = await Promise.all([
    installed(installations.versionId),
    installed(installations.otherVersionId),
    checked,
  ]);
  return [...current, ...other, ...checking];
}

/** A call that began with a revision goes on with it: the longest takes 34 s. */
const IN_PROGRESS = sql`interval '1 minute'`;

export interface EnteredSetting {
  versionId: string;
  name: string;
  value: string;
}

/**
 * What customers of these versions entered in these settings: in the revisions that serve, are about to, or served until a moment ago, and
 * in answers that are being checked.
 */
export async function selectEntered(
  db: Db,
  versionIds: readonly string[],
  names: readonly string[],
): Promise<EnteredSetting[]> {
  const isOfVersion = (column: typeof configurations.versionId | typeof configurationChecks.versionId) =>
    inArray(column, [...versionIds]);
  // Sealed values are not read: no address in a manifest comes from a secret.
  const plain = (settings: typeof configurations.settings | typeof configurationChecks.settings) =>
    sql`jsonb_each(${settings}) as entered (name, stored)`;
  const isNamed = and(inArray(sql`entered.name`, [...names]), sql`entered.stored ->> 'kind' = 'plain'`);
  const value = { name: sql<string>`entered.name`, value: sql<string>`entered.stored ->> 'value'` };
  const [saved, checked] = await Promise.all([
    db
      .selectDistinct({ versionId: configurations.versionId, ...value })
      .from(configurations)
      .innerJoin(installations, eq(installations.id, configurations.installationId))
      .innerJoin(plain(configurations.settings), sql`true`)
      .where(
        and(
          isOfVersion(configurations.versionId),
          isNamed,
          isUsed,
          or(
            isNull(configurations.supersededAt),
            eq(configurations.revision, installations.revision),
            sql`${configurations.supersededAt} > now() - ${IN_PROGRESS}`,
          ),
        ),
      ),
    db
      .selectDistinct({ versionId: configurationChecks.versionId, ...value })
      .from(configurationChecks)
      .innerJoin(plain(configurationChecks.settings), sql`true`)
      .where(and(isOfVersion(configurationChecks.versionId), isNamed, isOpenCheck)),
  ]);
  return [...saved, ...checked];
}

/**
 * Hosts that each customer of a version refused: organizations that have an installation of it, move to it, or check answers with it. The
 * caller looks at which of them the manifest has as optional.
 */
export async function selectRefusedByAll(
  db: Db,
  versionIds: readonly string[],
): Promise<{ versionId: string; host: string }[]> {
  const ids = sql.param(versionIds);
  const { rows } = await db.execute<{ versionId: string; host: string }>(sql`
    with customers as (
      select version_id, organization_id from installations where version_id = any(${ids}::uuid[]) and state <> 'UNINSTALLED'
      union
      select other_version_id, organization_id from installations
       where other_version_id = any(${ids}::uuid[]) and state <> 'UNINSTALLED'
      union
      select version_id, organization_id from configuration_checks
       where version_id = any(${ids}::uuid[]) and state <> 'ENDED')
    select c.version_id as "versionId", h.host
      from customers c
      join versions v on v.id = c.version_id
      join host_refusals h on h.organization_id = c.organization_id and h.listing_id = v.listing_id
     group by c.version_id, h.host
    having count(*) = (select count(*) from customers other where other.version_id = c.version_id)`);
  return rows;
}
