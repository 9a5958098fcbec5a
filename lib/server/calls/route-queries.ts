import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { attempts } from "@/drizzle/schema/calls";
import { instances } from "@/drizzle/schema/runtime";
import type { InstallationState, RouteKind } from "@/lib/contract/catalog/installation-states";
import type { LifecycleEvent } from "@/lib/contract/platform/manifest-terms";
import { IS_VALID_CREDENTIAL } from "../accounts/credentials/core-credential-queries";
import type { Db } from "../platform/database/connect";
import type { Replica } from "./choose-replica";

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

/**
 * The ready instances of a version, as JSON. Those whose health checks fail are left out while another one is healthy. Those that the
 * cluster is about to end are called only while no other one is ready.
 * @param versionId SQL
 */
export const listReplicas = (versionId: string) => `(
  select coalesce(json_agg(json_build_object('id', n.id, 'origin', n.origin)), '[]') from instances n
   where n.version_id = ${versionId} and n.origin is not null
     and case n.state
           when 'READY' then n.failing_since is null or not exists (
                select from instances h where h.version_id = n.version_id and h.state = 'READY' and h.failing_since is null)
           when 'DRAINING' then n.reason_code = 'EVICTED' and not exists (
                select from instances h where h.version_id = n.version_id and h.state = 'READY')
           else false end)`;

/** The same of an installation's version. */
export const readyReplicas = sql<Replica[]>`${sql.raw(listReplicas("installations.version_id"))}`;

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
  /** The app's ready instances. */
  replicas: Replica[];
}

/** All that a call needs to know. Prepared, because the ORM's query builder would cost more than the query. */
const CALLABLE = `
  select r.id as "routeId", r.kind, r.path, r.patterns, i.id as "installationId", i.state, i.version_id as "versionId",
         i.revision, i.key_epoch as epoch, i.test or o.record_bodies as recorded,
         ${listReplicas("i.version_id")} as replicas
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

/** A version's ready instances. */
export async function selectReadyReplicas(pool: Pool, versionId: string): Promise<Replica[]> {
  const { rows } = await pool.query<{ replicas: Replica[] }>({
    name: "select-ready-replicas",
    text: `select ${listReplicas("$1")} as replicas`,
    values: [versionId],
  });
  return rows[0]?.replicas ?? [];
}

/** The state API that an instance was started with. Null if it is not known. */
export async function selectStateApi(db: Db, instanceId: string): Promise<string | null> {
  const [found] = await db
    .select({ stateApi: instances.stateApi })
    .from(instances)
    .where(eq(instances.id, instanceId));
  return found?.stateApi ?? null;
}

/** Asks for the start of a version that sleeps. False if it doesn't. */
export async function requestWake(pool: Pool, versionId: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "request-wake",
    text: "update versions set woken_at = coalesce(woken_at, now()) where id = $1 and asleep_since is not null",
    values: [versionId],
  });
  return rowCount === 1;
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
