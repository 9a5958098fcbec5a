import { and, asc, eq, isNull, ne, sql, type SQL } from "drizzle-orm";
import { organizations } from "@/drizzle/schema/accounts";
import { routes } from "@/drizzle/schema/calls";
import { listings } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { tenants } from "@/drizzle/schema/installations-tenants";
import type { Db } from "../../platform/database/connect";
import { containsFolded } from "../../platform/database/expressions";

const appName = sql<string>`${organizations.slug} || '/' || ${listings.appName}`;

/** The apps that the organization ever installed, by title. */
export async function selectScopeApps(db: Db, organizationId: string) {
  return db
    .selectDistinct({ name: appName, title: listings.title })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(eq(installations.organizationId, organizationId))
    .orderBy(asc(listings.title), asc(appName));
}

interface ScopeFilter {
  /** `<org-name>/<app-name>`. */
  app?: string;
  /** In the titles of app and tenant. */
  search?: string;
  installationId?: string;
  limit: number;
}

/** The tenant of the row is that of a trial. */
export const isTrial = sql<boolean>`${tenants.trialEndsAt} is not null`;

/** The organization's installations with the names of their apps, by title. */
export async function selectScopes(db: Db, organizationId: string, filter: ScopeFilter) {
  const { app, search, installationId, limit } = filter;
  return db
    .select({
      id: installations.id,
      app: appName,
      title: listings.title,
      tenant: tenants.name,
      test: installations.test,
      trial: isTrial,
    })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .innerJoin(tenants, eq(tenants.id, installations.tenantId))
    .where(
      and(
        eq(installations.organizationId, organizationId),
        installationId === undefined ? undefined : eq(installations.id, installationId),
        app === undefined ? undefined : eq(appName, app),
        containsFolded(search, listings.title, tenants.name),
      ),
    )
    .orderBy(asc(listings.title), asc(tenants.name), asc(installations.id))
    .limit(limit);
}

interface Narrowed {
  installationId?: string;
  /** `<org-name>/<app-name>`. */
  app?: string;
  test?: boolean;
}

export async function selectInstallationIds(
  db: Db,
  organizationId: string,
  { installationId, app, test }: Narrowed,
): Promise<string[]> {
  const found = await db
    .select({ id: installations.id })
    .from(installations)
    .innerJoin(listings, eq(listings.id, installations.listingId))
    .innerJoin(organizations, eq(organizations.id, listings.organizationId))
    .where(
      and(
        eq(installations.organizationId, organizationId),
        installationId === undefined ? undefined : eq(installations.id, installationId),
        app === undefined ? undefined : eq(appName, app),
        test === undefined ? undefined : eq(installations.test, test),
      ),
    );
  return found.map(({ id }) => id);
}

function ofInstallations(organizationId: string, installationId: string | undefined): SQL | undefined {
  return and(
    eq(installations.organizationId, organizationId),
    installationId === undefined ? undefined : eq(installations.id, installationId),
  );
}

/** The routes that a manifest declared at `path`, also those of earlier versions. */
export async function selectRouteIds(
  db: Db,
  organizationId: string,
  installationId: string | undefined,
  path: string,
): Promise<string[]> {
  const found = await db
    .select({ id: routes.id })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .where(and(ofInstallations(organizationId, installationId), eq(routes.path, path)));
  return found.map(({ id }) => id);
}

/** Kinds and paths that the organization's apps declare now. */
export async function selectRoutePaths(db: Db, organizationId: string, installationId: string | undefined) {
  return db
    .selectDistinct({ kind: routes.kind, path: routes.path })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .where(
      and(
        ofInstallations(organizationId, installationId),
        isNull(routes.removedAt),
        ne(installations.state, "UNINSTALLED"),
      ),
    )
    .orderBy(asc(routes.kind), asc(routes.path));
}
