import type { CallScopes } from "@/lib/contract/call-log";
import type { CallFilter } from "@/lib/contract/call-filter";
import { Problem } from "@/lib/contract/problem";
import type { Agent } from "@/lib/domain/actor";
import { toRange } from "@/lib/domain/call-range";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import type { CallScope } from "./queries";
import { selectInstallationIds, selectRouteIds, selectRoutePaths, selectScopes } from "./scope-queries";

/**
 * The calls that a member's filter is about. An installation of another organization is not found; an app or a path that doesn't
 * exist in the organization matches no calls.
 */
export async function findScope(db: Db, { organization }: Agent, filter: CallFilter): Promise<CallScope> {
  const { installation: installationId, app, source, path } = filter;
  const { id: organizationId } = organization;
  if (installationId !== undefined) {
    const own = await selectInstallationIds(db, organizationId, { installationId });
    if (own.length === 0) throw new Problem("NOT_FOUND");
  }
  const scope: CallScope = { organizationId, installationId, range: toRange(filter, new Date()) };
  const isByInstallation = source === "launches" || source === "production";
  if (app !== undefined || isByInstallation) {
    const besides = source === "production" && app === undefined;
    const test = isByInstallation ? besides || source === "launches" : undefined;
    scope.among = await selectInstallationIds(db, organizationId, { app, test });
    scope.besides = besides;
  }
  if (path !== undefined) scope.routeIds = await selectRouteIds(db, organizationId, installationId, path);
  return scope;
}

/** What a list can be filtered by: all of the organization, or the routes of one installation. */
export async function listScopes(
  platform: Platform,
  { organization }: Agent,
  installationId?: string,
): Promise<CallScopes> {
  const [installations, routes] = await Promise.all([
    installationId === undefined ? selectScopes(platform.db, organization.id) : [],
    selectRoutePaths(platform.db, organization.id, installationId),
  ]);
  const apps = new Map(installations.map(({ app, title }) => [app, title]));
  return { apps: [...apps].map(([name, title]) => ({ name, title })), installations, routes };
}
