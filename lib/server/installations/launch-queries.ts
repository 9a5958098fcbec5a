import { and, desc, eq, inArray, isNotNull, ne, sql } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { listings, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { newestReview } from "../catalog/access-queries";
import type { Db } from "../platform/database/connect";

const selectVersions = (db: Db) =>
  db
    .select({
      versionId: versions.id,
      number: versions.number,
      manifest: versions.manifest,
      verifiedAt: versions.verifiedAt,
      review: newestReview(),
      bundleKind: versions.bundleKind,
      /** An example's folder runs as a process on the platform's machine, until the version has run in a container. */
      hasRunIsolated: sql<boolean>`exists (
        select from ${instances} where ${instances.versionId} = ${versions.id} and ${instances.runtime} <> 'process'
           and ${instances.readyAt} is not null)`,
      /** Since when it runs as a process; null if it doesn't. */
      processSince: sql<Date | null>`(
        select min(${instances.readyAt}) from ${instances}
         where ${instances.versionId} = ${versions.id} and ${instances.runtime} = 'process'
           and ${instances.state} = 'READY')`.mapWith(instances.readyAt),
      listingId: listings.id,
      title: listings.title,
      terms: listings.terms,
      appName: listings.appName,
      publisherId: listings.organizationId,
      publisherSlug: organizations.slug,
      publisherName: organizations.name,
    })
    .from(versions)
    .innerJoin(listings, eq(listings.id, versions.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId));

/** Locks the listing, so that it is not suspended between the check and the launch. */
export async function lockVersion(tx: Db, versionId: string) {
  const [found] = await selectVersions(tx).where(eq(versions.id, versionId)).for("share", { of: listings });
  return found;
}

export async function selectVersion(db: Db, versionId: string) {
  const [found] = await selectVersions(db).where(eq(versions.id, versionId));
  return found;
}

/** An app's version with the highest number, compared part by part; with `verifiedOnly`, of the verified ones. */
export async function selectNewestVersion(
  db: Db,
  app: { organization: string; app: string },
  verifiedOnly: boolean,
) {
  const [found] = await selectVersions(db)
    .where(
      and(
        eq(organizations.slug, app.organization),
        eq(listings.appName, app.app),
        verifiedOnly ? isNotNull(versions.verifiedAt) : undefined,
      ),
    )
    .orderBy(desc(sql`string_to_array(${versions.number}, '.')::numeric[]`))
    .limit(1);
  return found;
}

export async function insertInstallation(tx: Db, row: typeof installations.$inferInsert): Promise<void> {
  await tx.insert(installations).values(row);
}

/** Which of these listings the organization has installed, Test Launches aside. */
export async function selectInstalledAmong(db: Db, organizationId: string, listingIds: readonly string[]) {
  const rows = await db
    .selectDistinct({ id: installations.listingId })
    .from(installations)
    .where(
      and(
        eq(installations.organizationId, organizationId),
        inArray(installations.listingId, [...listingIds]),
        eq(installations.test, false),
        ne(installations.state, "UNINSTALLED"),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** The organization's installations of an app by tenant. A tenant has at most one, and one Test Launch. */
export async function selectInstalled(db: Db, organizationId: string, listingId: string, test: boolean) {
  const rows = await db
    .select({ tenantId: installations.tenantId, id: installations.id })
    .from(installations)
    .where(
      and(
        eq(installations.organizationId, organizationId),
        eq(installations.listingId, listingId),
        eq(installations.test, test),
        ne(installations.state, "UNINSTALLED"),
      ),
    );
  return new Map(rows.map(({ tenantId, id }) => [tenantId, id]));
}
