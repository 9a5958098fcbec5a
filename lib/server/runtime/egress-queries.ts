import { and, eq, inArray, isNull, notInArray, or } from "drizzle-orm";
import { versions } from "@/drizzle/schema/catalog";
import { configurationChecks, configurations, installations, tenants } from "@/drizzle/schema/installations";
import type { Db } from "../platform/database/connect";

export async function selectManifests(db: Db, versionIds: readonly string[]) {
  return db
    .select({ id: versions.id, manifest: versions.manifest })
    .from(versions)
    .where(inArray(versions.id, [...versionIds]));
}

const isUsed = notInArray(installations.state, ["UNINSTALLED"]);

/** The cores of tenants that have an installation of the version, move to it, or check answers with it. */
export async function selectCoresOf(
  db: Db,
  versionIds: readonly string[],
): Promise<{ versionId: string | null; url: string }[]> {
  const ids = [...versionIds];
  const installed = (column: typeof installations.versionId | typeof installations.otherVersionId) =>
    db
      .selectDistinct({ versionId: column, url: tenants.coreApiUrl })
      .from(installations)
      .innerJoin(tenants, eq(tenants.id, installations.tenantId))
      .where(and(inArray(column, ids), isUsed, isNull(tenants.disconnectedAt)));
  const checked = db
    .selectDistinct({ versionId: configurationChecks.versionId, url: tenants.coreApiUrl })
    .from(configurationChecks)
    .innerJoin(tenants, eq(tenants.id, configurationChecks.tenantId))
    .where(inArray(configurationChecks.versionId, ids));
  const [current, other, checking] = await Promise.all([
    installed(installations.versionId),
    installed(installations.otherVersionId),
    checked,
  ]);
  return [...current, ...other, ...checking];
}

/** What customers of these versions entered, in the revisions that serve or are about to. */
export async function selectSettingsOf(db: Db, versionIds: readonly string[]) {
  return db
    .select({ versionId: configurations.versionId, settings: configurations.settings })
    .from(configurations)
    .innerJoin(installations, eq(installations.id, configurations.installationId))
    .where(
      and(
        inArray(configurations.versionId, [...versionIds]),
        isUsed,
        or(isNull(configurations.supersededAt), eq(configurations.revision, installations.revision)),
      ),
    );
}
