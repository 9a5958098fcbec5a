import { and, eq, inArray, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import { reviews, versions } from "@/drizzle/schema/catalog";
import { configurationChecks, configurations, installations, tenants } from "@/drizzle/schema/installations";
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
