import { and, desc, eq, isNull, isNotNull, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { attempts } from "@/drizzle/schema/deliveries";
import { installations, instances } from "@/drizzle/schema/installations";
import type { InstallationState, RouteKind } from "@/lib/contract/installation-states";
import type { LifecycleEvent } from "@/lib/contract/manifest-terms";
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

/** The origin of a version's ready instance; null if there is none. */
export async function selectReadyOrigin(pool: Pool, versionId: string): Promise<string | null> {
  const { rows } = await pool.query<{ origin: string }>({
    name: "select-ready-origin",
    text: "select origin from instances where version_id = $1 and state = 'READY' limit 1",
    values: [versionId],
  });
  return rows[0]?.origin ?? null;
}

const CALLS_OF_CORES = `
  select s.place::int, c.id as "credentialId", f.*
    from unnest($1::text[], $2::uuid[]) with ordinality as s (hash, route_id, place)
    join core_credentials c on c.hash = s.hash and ${IS_VALID_CREDENTIAL}
    left join lateral (${CALLABLE} and r.id = s.route_id and i.tenant_id = c.tenant_id) f on true`;

export interface CallOfCore {
  /** Of the credential. */
  hash: string;
  /** Null finds no route. */
  routeId: string | null;
}

export interface FoundCall {
  credentialId: string;
  /** Undefined if the credential's tenant has no such route. */
  route: CallableRoute | undefined;
}

/**
 * Authenticates cores by the hashes of their credentials, and finds the routes that they call. By the places of the calls,
 * from 0; a call has none if its credential doesn't work.
 */
export async function selectCallsOfCores(
  pool: Pool,
  calls: readonly CallOfCore[],
): Promise<Map<number, FoundCall>> {
  const { rows } = await pool.query<
    { place: number; credentialId: string } & (CallableRoute | { routeId: null })
  >({
    name: "select-calls-of-cores",
    text: CALLS_OF_CORES,
    values: [calls.map(({ hash }) => hash), calls.map(({ routeId }) => routeId)],
  });
  return new Map(
    rows.map((row) => [
      row.place - 1,
      { credentialId: row.credentialId, route: row.routeId === null ? undefined : row },
    ]),
  );
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
