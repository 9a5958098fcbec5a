import { and, desc, eq, isNull, isNotNull, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { attempts } from "@/drizzle/schema/deliveries";
import { installations, instances } from "@/drizzle/schema/installations";
import type { InstallationState, RouteKind } from "@/lib/contract/installation";
import type { LifecycleEvent } from "@/lib/contract/manifest";
import type { Db } from "../database/connect";
import { IS_VALID_CREDENTIAL } from "../identity/core-credential-queries";

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

export interface CallableRoute {
  routeId: string;
  kind: RouteKind;
  path: string;
  /** The operations that an autofill route declares. */
  patterns: string[];
  installationId: string;
  state: InstallationState;
  versionId: string;
  revision: number;
  epoch: number;
  /** Whether payloads and answers are stored. */
  recorded: boolean;
  /** Of the app's ready instance. */
  origin: string | null;
}

/** All that a call needs to know. Prepared, because the ORM's query builder would cost more than the query. */
const CALLABLE = `
  select r.id as "routeId", r.kind, r.path, r.patterns, i.id as "installationId", i.state, i.version_id as "versionId",
         i.revision, i.key_epoch as epoch, i.test or o.record_bodies as recorded,
         (select n.origin from instances n where n.version_id = i.version_id and n.state = 'READY' limit 1) as origin
    from routes r
    join installations i on i.id = r.installation_id
    join organizations o on o.id = i.organization_id
   where r.removed_at is null`;

/** @param organizationId null for any */
export async function selectCallableRoute(
  pool: Pool,
  routeId: string,
  organizationId: string | null,
): Promise<CallableRoute | undefined> {
  const { rows } = await pool.query<CallableRoute>({
    name: "select-callable-route",
    text: `${CALLABLE} and r.id = $1 and ($2::uuid is null or i.organization_id = $2)`,
    values: [routeId, organizationId],
  });
  return rows[0];
}

const CALL_OF_CORE = `
  select c.id as "credentialId", f.*
    from core_credentials c
    left join lateral (${CALLABLE} and r.id = $2 and i.tenant_id = c.tenant_id) f on true
   where c.hash = $1 and ${IS_VALID_CREDENTIAL}`;

/**
 * Authenticates a core by its credential's hash, and finds the route that it calls. Undefined if the credential doesn't work;
 * without a route if the tenant has no such route.
 */
export async function selectCallOfCore(
  pool: Pool,
  hash: string,
  routeId: string | null,
): Promise<{ credentialId: string; route: CallableRoute | undefined } | undefined> {
  const { rows } = await pool.query<{ credentialId: string } & (CallableRoute | { routeId: null })>({
    name: "select-call-of-core",
    text: CALL_OF_CORE,
    values: [hash, routeId],
  });
  const [found] = rows;
  if (found === undefined) return undefined;
  return { credentialId: found.credentialId, route: found.routeId === null ? undefined : found };
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
