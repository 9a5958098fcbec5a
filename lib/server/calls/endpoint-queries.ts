import { and, eq, isNull } from "drizzle-orm";
import { routes } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import type { Db } from "../platform/database/connect";
import { readyReplicas } from "./route-queries";

/** The endpoints below a route base, if its installation is running. */
export async function selectServedEndpoints(db: Db, routeBase: string) {
  return db
    .select({
      routeId: routes.id,
      path: routes.path,
      methods: routes.patterns,
      access: routes.access,
      openedAt: routes.openedAt,
      installationId: installations.id,
      tenantId: installations.tenantId,
      versionId: installations.versionId,
      revision: installations.revision,
      epoch: installations.keyEpoch,
      replicas: readyReplicas,
    })
    .from(installations)
    .innerJoin(routes, eq(routes.installationId, installations.id))
    .where(
      and(
        eq(installations.routeBase, routeBase),
        eq(installations.state, "RUNNING"),
        eq(routes.kind, "endpoint"),
        isNull(routes.removedAt),
      ),
    );
}

/** The organization whose installation has this route base. */
export async function selectRouteBaseOwner(db: Db, routeBase: string): Promise<string | undefined> {
  const [found] = await db
    .select({ organizationId: installations.organizationId })
    .from(installations)
    .where(eq(installations.routeBase, routeBase));
  return found?.organizationId;
}

export type ServedEndpoint = Awaited<ReturnType<typeof selectServedEndpoints>>[number];

/** False if the installation has no such public endpoint now. */
export async function setOpened(
  tx: Db,
  installationId: string,
  routeId: string,
  openedAt: Date | null,
): Promise<boolean> {
  const set = await tx
    .update(routes)
    .set({ openedAt })
    .where(
      and(
        eq(routes.id, routeId),
        eq(routes.installationId, installationId),
        eq(routes.kind, "endpoint"),
        eq(routes.access, "public"),
        isNull(routes.removedAt),
      ),
    )
    .returning({ id: routes.id });
  return set.length === 1;
}

export async function setRouteBase(
  tx: Db,
  organizationId: string,
  installationId: string,
  routeBase: string,
): Promise<void> {
  await tx
    .update(installations)
    .set({ routeBase })
    .where(and(eq(installations.id, installationId), eq(installations.organizationId, organizationId)));
}
