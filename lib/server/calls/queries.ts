import { and, desc, eq, isNull, isNotNull, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { attempts } from "@/drizzle/schema/deliveries";
import { installations, instances, routes } from "@/drizzle/schema/installations";
import type { LifecycleEvent } from "@/lib/contract/manifest";
import type { Db } from "../database/connect";

/** Whether payloads and answers of the core's calls are stored: of Test Launches, and if the organization turned it on. */
export async function recordsBodies(pool: Pool, installationId: string): Promise<boolean> {
  const { rows } = await pool.query<{ recorded: boolean }>({
    name: "records-bodies",
    text: `select i.test or o.record_bodies as recorded
             from installations i join organizations o on o.id = i.organization_id where i.id = $1`,
    values: [installationId],
  });
  return rows[0]?.recorded === true;
}

/** The origin of the ready instance of an installation's version; null if there is none. */
export const readyOrigin = sql<string | null>`(
  select ${instances.origin} from ${instances}
   where ${instances.versionId} = ${installations.versionId} and ${instances.state} = 'READY' limit 1)`;

/** When that instance became ready. */
export const readySince = sql<Date | null>`(
  select ${instances.readyAt} from ${instances}
   where ${instances.versionId} = ${installations.versionId} and ${instances.state} = 'READY' limit 1)`.mapWith(
  instances.readyAt,
);

export async function selectCallableRoute(
  db: Db,
  routeId: string,
  scope: { organizationId?: string; tenantId?: string },
) {
  const [found] = await db
    .select({
      id: routes.id,
      kind: routes.kind,
      path: routes.path,
      patterns: routes.patterns,
      installationId: installations.id,
      state: installations.state,
      revision: installations.revision,
      epoch: installations.keyEpoch,
      origin: readyOrigin,
    })
    .from(routes)
    .innerJoin(installations, eq(installations.id, routes.installationId))
    .where(
      and(
        eq(routes.id, routeId),
        isNull(routes.removedAt),
        scope.organizationId === undefined
          ? undefined
          : eq(installations.organizationId, scope.organizationId),
        scope.tenantId === undefined ? undefined : eq(installations.tenantId, scope.tenantId),
      ),
    );
  return found;
}

/** Whether such a hook was called and never finished, because its worker died. */
export async function hasUnfinishedHook(
  db: Db,
  installationId: string,
  hook: LifecycleEvent,
): Promise<boolean> {
  const unfinished = and(
    eq(attempts.installationId, installationId),
    eq(attempts.hook, hook),
    isNull(attempts.durationMs),
  );
  return (await db.$count(attempts, unfinished)) > 0;
}

/** The lifecycle hook that was called last. */
export async function selectLastHook(db: Db, installationId: string): Promise<LifecycleEvent | undefined> {
  const [found] = await db
    .select({ hook: attempts.hook })
    .from(attempts)
    .where(and(eq(attempts.installationId, installationId), isNotNull(attempts.hook)))
    .orderBy(desc(attempts.id))
    .limit(1);
  return found?.hook ?? undefined;
}
