/**
 * Measures how long events that an app handles wait beside events that it doesn't: thousands of another type, payloads that it fails on, an
 * app that was away, one that hangs. Each case is an installation of its own, all in one pool of deliveries and one PostgreSQL, so each also waits
 * beside the others. The time is from the first success that was possible: when the last healthy event was accepted, or when the app came
 * back. Fails if a case takes more than 60 s.
 *
 *     npm run bench:blocked [-- <case> …]
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { deliveryPool } from "@/lib/server/calls/deliveries/delivery-pool";
import { readEnvironment } from "@/lib/server/platform/environment";
import { newMasterKey } from "@/lib/server/platform/keyring";
import { runPool } from "@/lib/server/platform/lease-loop";
import { freePort } from "@/lib/server/platform/machine";
import { createPlatform } from "@/lib/server/surface/create-platform";
import { startTemporaryDatabase } from "@/tests/temporary-database";
import { printFigure } from "./measure";
import { createInstallation } from "./running-installation";

const MOST_SECONDS = 60;
const MOST_RUN_MS = 2 * 60_000;
/** As often as a worker looks without being told of news. */
const WAKE_MS = 1_000;
/** While the failing events are sent alone, so that every breaker that they open is open. */
const HEAD_START_MS = 20_000;

type Behavior = "works" | "fails" | "hangs";

interface Case {
  name: string;
  /** Types of events, in order, that are accepted first. */
  before: string[];
  /** The same, after the head start. Only these must arrive. */
  healthy: string[];
  /** What the app does with an event. @param isBack it is the end of the head start */
  handle: (event: { type: string; healthy: boolean }, isBack: boolean) => Behavior;
}

const times = (count: number, type: string) => Array.from({ length: count }, () => type);
const HEALTHY = times(3, "claim.opened");
const byType = ({ type }: { type: string }): Behavior => (type.startsWith("claim.") ? "works" : "fails");
const byPayload = ({ healthy }: { healthy: boolean }): Behavior => (healthy ? "works" : "fails");

const CASES: Case[] = [
  { name: "type_40", before: times(40, "policy.issued"), healthy: HEALTHY, handle: byType },
  { name: "type_4000", before: times(4_000, "policy.issued"), healthy: HEALTHY, handle: byType },
  { name: "payload_40", before: times(40, "claim.opened"), healthy: HEALTHY, handle: byPayload },
  { name: "payload_4000", before: times(4_000, "claim.opened"), healthy: HEALTHY, handle: byPayload },
  {
    name: "alternating",
    before: Array.from(
      { length: 400 },
      (_, at) => ["policy.issued", "policy.changed", "claim.closed"][at % 3] ?? "",
    ),
    healthy: HEALTHY,
    handle: byType,
  },
  {
    name: "types_49_of_50",
    before: Array.from({ length: 49 * 20 }, (_, at) => `policy.kind${at % 49}`),
    healthy: HEALTHY,
    handle: byType,
  },
  {
    name: "away_then_types",
    before: Array.from({ length: 49 * 20 }, (_, at) => `policy.kind${at % 49}`),
    healthy: HEALTHY,
    handle: (event, isBack) => (isBack ? byType(event) : "fails"),
  },
  {
    name: "recovers",
    before: times(4_000, "policy.issued"),
    healthy: HEALTHY,
    handle: (_event, isBack) => (isBack ? "works" : "fails"),
  },
  {
    name: "hangs_40",
    before: times(40, "policy.issued"),
    healthy: HEALTHY,
    handle: (event) => (byType(event) === "works" ? "works" : "hangs"),
  },
  {
    name: "hangs_4000",
    before: times(4_000, "policy.issued"),
    healthy: HEALTHY,
    handle: (event) => (byType(event) === "works" ? "works" : "hangs"),
  },
  {
    name: "hung_then_recovers",
    before: times(400, "policy.issued"),
    healthy: HEALTHY,
    handle: (_event, isBack) => (isBack ? "works" : "hangs"),
  },
  // The same app as that of the next one.
  { name: "shared_broken", before: times(400, "claim.opened"), healthy: [], handle: () => "fails" },
  { name: "shared_healthy", before: [], healthy: HEALTHY, handle: () => "works" },
];

const shape = z.object({ type: z.string(), healthy: z.boolean(), number: z.number() });
const wanted = process.argv.slice(2);
const cases = CASES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const database = await startTemporaryDatabase("bench");
const databaseUrl = `${database.server}/bench`;
const pool = new pg.Pool({ connectionString: databaseUrl });
/** When each healthy event of a case arrived, by its number. */
const arrived = new Map(cases.map(({ name }) => [name, new Map<number, number>()]));
const received = new Map(cases.map(({ name }) => [name, 0]));
let isBack = false;
let isKept = true;
try {
  await run();
} finally {
  await pool.end();
  await database.stop();
}
process.exit(isKept ? 0 : 1);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = cases.find(({ name }) => request.url === `/${name}`);
  const event = shape.parse(JSON.parse((await buffer(request)).toString()));
  if (found === undefined) return void response.writeHead(404).end();
  received.set(found.name, (received.get(found.name) ?? 0) + 1);
  const behavior = found.handle(event, isBack);
  if (behavior === "hangs") return;
  response.writeHead(behavior === "works" ? 204 : 500).end();
  const own = arrived.get(found.name);
  if (behavior === "works" && event.healthy && own?.has(event.number) === false)
    own.set(event.number, performance.now());
}

async function run(): Promise<void> {
  const server = createServer((request, response) => void answer(request, response).catch(console.error));
  const appPort = await freePort();
  await new Promise<void>((resolve) => server.listen(appPort, "127.0.0.1", resolve));
  const variables = {
    NODE_ENV: "production",
    DATABASE_URL: databaseUrl,
    PLATFORM_MASTER_KEYS: newMasterKey("bench"),
    PLATFORM_RUNTIME: "process",
    PLATFORM_LOG_LEVEL: "warn",
  };
  await createInstallation(variables);
  for (const { name } of cases) await addInstallation(name, `http://127.0.0.1:${appPort}`);
  for (const { name, before } of cases) await accept(name, before, false);
  await pool.query("analyze");
  const platform = createPlatform(readEnvironment(variables), "bench");
  const deliveries = runPool(platform, deliveryPool(platform));
  const waking = setInterval(deliveries.wake, WAKE_MS);
  deliveries.wake();
  await sleep(HEAD_START_MS);
  const sent = new Map(received);
  for (const { name, healthy } of cases) await accept(name, healthy, true);
  isBack = true;
  const from = performance.now();
  const isComplete = () =>
    cases.every(({ name, healthy }) => (arrived.get(name)?.size ?? 0) === healthy.length);
  while (!isComplete() && performance.now() - from < MOST_RUN_MS) await sleep(200);
  for (const { name, before, healthy } of cases) {
    if (healthy.length === 0) continue;
    const moments = [...(arrived.get(name)?.values() ?? [])];
    const seconds = moments.length < healthy.length ? Infinity : (Math.max(...moments) - from) / 1000;
    console.log(
      `${name}: ${before.length} events before, ${sent.get(name) ?? 0} attempts when the healthy ones were accepted, ${received.get(name) ?? 0} at the end`,
    );
    printFigure(`blocked_${name}_seconds`, seconds, "s");
    isKept &&= seconds <= MOST_SECONDS;
  }
  clearInterval(waking);
  server.closeAllConnections();
  server.close();
}

/** With a tenant of its own. Those that are called `shared_…` have one app. */
async function addInstallation(name: string, origin: string): Promise<void> {
  const app = name.startsWith("shared_") ? "shared" : name;
  await pool.query(
    `with o as (insert into organizations (id, slug, name) values (gen_random_uuid(), replace($1, '_', '-'), 'Bench') returning id),
          l as (insert into listings (id, organization_id, app_name, title, about, requirements, state)
                select md5('listing ' || $2)::uuid, o.id, 'bench', 'Bench', '{}', '{}', 'PUBLIC' from o on conflict do nothing),
          v as (insert into versions (id, listing_id, number, manifest, manifest_text, image_manifest_text, image_digest,
                                      archive_digest, archive_bytes, published_by)
                values (md5('version ' || $2)::uuid, md5('listing ' || $2)::uuid, '1.0.0', '{}', '{}', '{}', '-', '-', 0, '-')
                on conflict do nothing),
          t as (insert into tenants (id, organization_id, name, host_name, core_api_url)
                select md5('tenant ' || $1)::uuid, o.id, 'T', replace($1, '_', '-') || '.core.example', 'https://core.example' from o returning id),
          i as (insert into installations (id, organization_id, tenant_id, listing_id, version_id, state, created_by)
                select md5('installation ' || $1)::uuid, o.id, t.id, md5('listing ' || $2)::uuid, md5('version ' || $2)::uuid, 'RUNNING',
                       (select id from users limit 1) from o, t returning id)
     insert into routes (id, installation_id, kind, path) select gen_random_uuid(), id, 'webhook', '/' || $1 from i`,
    [name, app],
  );
  await pool.query(
    `insert into instances (id, version_id, runtime, handle, origin, state, ready_at)
     select gen_random_uuid(), v.id, 'bench', 'none', $1, 'READY', now() from versions v
      where v.id = md5('version ' || $2)::uuid and not exists (select from instances i where i.version_id = v.id)`,
    [origin, app],
  );
}

/** In this order, as the gateway stores them. */
async function accept(name: string, types: readonly string[], healthy: boolean): Promise<void> {
  await pool.query(
    `with new as (
       insert into events (id, tenant_id, event_id, type, body, body_hash)
       select uuidv7(), md5('tenant ' || $1)::uuid, gen_random_uuid(), t.type,
              json_build_object('type', t.type, 'healthy', $3::boolean, 'number', t.number)::text, '-'
         from unnest($2::text[]) with ordinality t (type, number) order by t.number
       returning id, type)
     insert into deliveries (id, event_id, installation_id, route_id, event_type)
     select uuidv7(), new.id, i.id, r.id, new.type
       from new join installations i on i.id = md5('installation ' || $1)::uuid
       join routes r on r.installation_id = i.id order by new.id`,
    [name, types, healthy],
  );
}
