import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { v7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { removeOldRecords } from "./remove-old-records";

const platform = await testPlatform();
const DAY_MS = 24 * 60 * 60_000;
const AT_ONCE = { pauseMs: 0 };
const NOTHING_ELSE = {
  logLines: 0,
  instanceEvents: 0,
  usageSamples: 0,
  usageHours: 0,
  egressDays: 0,
  egressWatches: 0,
  egressCounters: 0,
  listingVisitors: 0,
  visitDays: 0,
  configurationChecks: 0,
  mails: 0,
  notifications: 0,
  sessions: 0,
  invitations: 0,
  launchRequests: 0,
  images: 0,
  blobs: 0,
  uploads: 0,
};

let given: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  given = await givenWorld();
});

async function givenWorld() {
  const { customer: member, version, tenant, installation, routes } = await givenInstalledApp(platform);
  const routeOf = (kind: string) => one(routes.filter((route) => route.kind === kind)).id;
  return {
    organizationId: member.organization.id,
    userId: member.userId,
    tenant,
    installationId: installation.id,
    versionId: version.id,
    listingId: version.listingId,
    routeOf,
  };
}

const idAt = (daysAgo: number) => v7({ msecs: Date.now() - daysAgo * DAY_MS });
const count = async (table: string) =>
  Number((await platform.pool.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n);

async function addAttempts(
  ids: string[],
  kind = "autofill",
  deliveryId: string | null = null,
): Promise<void> {
  await platform.pool.query(
    `insert into attempts (id, organization_id, installation_id, route_id, kind, target, delivery_id, duration_ms)
     select id, $2, $3, $4, $5, 'POST /', $6, 1 from unnest($1::uuid[]) as id`,
    [ids, given.organizationId, given.installationId, given.routeOf(kind), kind, deliveryId],
  );
  await platform.pool.query(
    `insert into attempt_state_reads (attempt_id, count, first_read_at, last_read_at, revision)
     select id, 1, now(), now(), 1 from unnest($1::uuid[]) as id`,
    [ids],
  );
}

async function addEvent(daysAgo: number, state: string, settledDaysAgo = daysAgo) {
  const [event, delivery] = [idAt(daysAgo), idAt(daysAgo)];
  await platform.pool.query(
    "insert into events (id, tenant_id, event_id, type, body, body_hash) values ($1::uuid, $2, $3, 'policy.issued', '{}', '-')",
    [event, given.tenant.id, event],
  );
  await platform.pool.query(
    `insert into deliveries (id, event_id, installation_id, route_id, state, settled_at) values ($1, $2, $3, $4, $5, $6)`,
    [
      delivery,
      event,
      given.installationId,
      given.routeOf("webhook"),
      state,
      state === "PENDING" ? null : new Date(Date.now() - settledDaysAgo * DAY_MS),
    ],
  );
  return { event, delivery };
}

// Guarantee: the tables do not grow forever: what is older than the period is deleted, with its state reads, and
// nothing newer.
test("old calls and events are removed, and recent ones stay", async () => {
  const recent = [idAt(29), idAt(0)];
  await addAttempts([idAt(31), idAt(400), ...recent]);
  const { delivery } = await addEvent(31, "DELIVERED");
  await addAttempts([idAt(31)], "webhook", delivery);
  await addEvent(29, "DELIVERED");
  expect(await removeOldRecords(platform, AT_ONCE)).toEqual({
    attempts: 3,
    stateReads: 3,
    events: 1,
    ...NOTHING_ELSE,
  });
  const { rows } = await platform.pool.query<{ id: string }>("select id from attempts order by id");
  expect(rows.map(({ id }) => id)).toEqual(recent);
  expect([await count("attempt_state_reads"), await count("events"), await count("deliveries")]).toEqual([
    2, 1, 1,
  ]);
});

test("reads of a call that was never recorded are removed too", async () => {
  await platform.pool.query(
    "insert into attempt_state_reads (attempt_id, count, first_read_at, last_read_at) values ($1, 1, now(), now())",
    [idAt(31)],
  );
  expect(await removeOldRecords(platform, AT_ONCE)).toMatchObject({ attempts: 0, stateReads: 1 });
});

// Guarantee: no event is lost because it is old while it still has to be sent, or while someone may still replay it.
test("an event stays while a delivery is pending, died lately, or was tried lately", async () => {
  await addEvent(100, "PENDING");
  await addEvent(100, "DEAD", 29);
  const { delivery } = await addEvent(100, "DELIVERED");
  await addAttempts([idAt(1)], "webhook", delivery);
  const { event } = await addEvent(100, "DEAD", 31);
  expect(await removeOldRecords(platform, AT_ONCE)).toEqual({
    attempts: 0,
    stateReads: 0,
    events: 1,
    ...NOTHING_ELSE,
  });
  expect(await count("events")).toBe(3);
  expect((await platform.pool.query("select 1 from events where id = $1", [event])).rowCount).toBe(0);
});

// Guarantee: an installation that runs for years still knows which hooks its app has been sent.
test("lifecycle hooks stay until the installation is uninstalled", async () => {
  await addAttempts([idAt(400)], "lifecycle");
  expect((await removeOldRecords(platform, AT_ONCE)).attempts).toBe(0);
  await platform.pool.query("update installations set state = 'UNINSTALLED'");
  expect((await removeOldRecords(platform, AT_ONCE)).attempts).toBe(1);
});

/** Ids say when rows were created. */
async function addRows(table: string, rows: Record<string, unknown>[]): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row);
    await platform.pool.query(
      `insert into ${table} (${columns.join()}) values (${columns.map((_, at) => `$${at + 1}`).join()})`,
      Object.values(row),
    );
  }
}
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const idsOf = async (table: string) =>
  (await platform.pool.query<{ id: string }>(`select id from ${table}`)).rows.map(({ id }) => id).sort();

// Guarantee: old rows are deleted in batches. Unread notifications are kept for a year, open problems and waiting emails longer.
test("read notifications and ended mails are removed after their period", async () => {
  const { userId } = given;
  const notification = (id: string, readDaysAgo: number | null, more = {}) => {
    const at = readDaysAgo === null ? null : daysAgo(readDaysAgo);
    const row = { id, user_id: userId, kind: "review", subject: id, title: "t", body: "", href: "/" };
    return { ...row, updated_at: daysAgo(100), read_at: at, ...more };
  };
  const [read, lately, unread, again, lasting] = Array.from({ length: 5 }, (_, at) => idAt(100 + at));
  const [sent, dead, young, queued] = Array.from({ length: 4 }, (_, at) => idAt(100 + at));
  await addRows("notifications", [
    notification(read ?? "", 91),
    ...Array.from({ length: 20 }, (_, at) => notification(idAt(200 + at), 95)),
    notification(lately ?? "", 89),
    notification(unread ?? "", null, { updated_at: daysAgo(364) }),
    notification(idAt(300), null, { updated_at: daysAgo(366) }),
    notification(again ?? "", 91, { updated_at: daysAgo(1) }),
    notification(lasting ?? "", 91, { lasts: true }),
  ]);
  const mail = (id: string, state: string, ended: Date | null) => ({
    id,
    recipient: "a@acme.example",
    state,
    ended_at: ended,
  });
  await addRows("mails", [
    mail(sent ?? "", "SENT", daysAgo(91)),
    mail(dead ?? "", "DEAD", daysAgo(91)),
    mail(young ?? "", "SENT", daysAgo(89)),
    mail(queued ?? "", "QUEUED", null),
    { id: idAt(100), notification_id: lately, state: "SENT", ended_at: daysAgo(91) },
  ]);
  const removed = await removeOldRecords(platform, { ...AT_ONCE, batchSize: 6 });
  expect(removed).toMatchObject({ notifications: 22, mails: 3 });
  expect(await idsOf("notifications")).toEqual([lately, unread, again, lasting].sort());
  expect(await idsOf("mails")).toEqual([young, queued].sort());
});

// Guarantee: sessions are deleted some time after they ended, and the list of members still shows when each was last seen.
test("ended sessions are removed, except the last one of a person in an organization", async () => {
  const { userId, organizationId } = given;
  await platform.pool.query("delete from sessions");
  const session = (id: string, expires: number, more = {}) => ({
    id,
    user_id: userId,
    organization_id: organizationId,
    last_seen_at: daysAgo(expires),
    expires_at: daysAgo(expires),
    ...more,
  });
  const [long, revoked, lately, active, only] = Array.from({ length: 5 }, (_, at) => idAt(100 - at));
  await addRows("sessions", [
    session(long ?? "", 99),
    session(revoked ?? "", 0, { revoked_at: daysAgo(95), last_seen_at: daysAgo(95) }),
    session(lately ?? "", 89),
    session(active ?? "", -1),
    session(only ?? "", 95, { organization_id: null }),
  ]);
  expect(await removeOldRecords(platform, AT_ONCE)).toMatchObject({ sessions: 2 });
  expect(await idsOf("sessions")).toEqual([lately, active, only].sort());
});

// Guarantee: the platform forgets the address of a person who never joined, or who has an account by now.
test("ended invitations forget their address, and expired ones can't be renewed without it", async () => {
  const { userId, organizationId } = given;
  const invitation = (name: string, days: number, more = {}) => ({
    id: idAt(days + 7),
    organization_id: organizationId,
    role: "operator",
    invited_by: userId,
    email: `${name}@acme.example`,
    token_hash: name,
    expires_at: daysAgo(days),
    ...more,
  });
  await addRows("invitations", [
    invitation("expired", 31),
    invitation("revoked", 31, { revoked_at: daysAgo(32) }),
    invitation("accepted", 31, { accepted_at: daysAgo(33), accepted_by: userId }),
    invitation("open", 31, { email: null }),
    invitation("lately", 29),
    invitation("renewed", -5, { id: idAt(100) }),
    invitation("used-lately", 20, { id: idAt(100), accepted_at: daysAgo(25), accepted_by: userId }),
  ]);
  expect(await removeOldRecords(platform, { ...AT_ONCE, batchSize: 2 })).toMatchObject({ invitations: 4 });
  const { rows } = await platform.pool.query(
    "select token_hash as name, email is not null as kept, revoked_at is not null as revoked from invitations order by 1",
  );
  expect(rows).toEqual([
    { name: "accepted", kept: false, revoked: false },
    { name: "expired", kept: false, revoked: true },
    { name: "lately", kept: true, revoked: false },
    { name: "open", kept: false, revoked: true },
    { name: "renewed", kept: true, revoked: false },
    { name: "revoked", kept: false, revoked: true },
    { name: "used-lately", kept: true, revoked: false },
  ]);
  expect(await removeOldRecords(platform, AT_ONCE)).toMatchObject({ invitations: 0 });
});

// Guarantee: nobody's open request is lost, however old it is, and no approval that can still be used.
test("requests to launch are removed 180 days after they ended, and open ones stay", async () => {
  const { userId, organizationId, versionId, listingId, tenant } = given;
  const request = (state: string, more: Record<string, unknown> = {}) => ({
    id: idAt(400),
    organization_id: organizationId,
    listing_id: listingId,
    version_id: versionId,
    tenant_id: tenant.id,
    requested_by: userId,
    state,
    ...more,
  });
  const [open, declined, used, expired, usable] = Array.from({ length: 5 }, () => idAt(400));
  await addRows("launch_requests", [
    request("OPEN", { id: open }),
    ...["DECLINED", "WITHDRAWN", "OUTDATED"].map((state) => request(state, { ended_at: daysAgo(181) })),
    request("DECLINED", { id: declined, ended_at: daysAgo(179) }),
    request("APPROVED", { ended_at: daysAgo(200), valid_until: daysAgo(170), used_at: daysAgo(181) }),
    request("APPROVED", { ended_at: daysAgo(220), valid_until: daysAgo(190) }),
    request("APPROVED", {
      id: used,
      ended_at: daysAgo(200),
      valid_until: daysAgo(170),
      used_at: daysAgo(179),
    }),
    request("APPROVED", { id: expired, ended_at: daysAgo(209), valid_until: daysAgo(179) }),
    request("APPROVED", { id: usable, ended_at: daysAgo(5), valid_until: daysAgo(-25) }),
  ]);
  expect(await removeOldRecords(platform, { ...AT_ONCE, batchSize: 2 })).toMatchObject({ launchRequests: 5 });
  expect(await idsOf("launch_requests")).toEqual([open, declined, used, expired, usable].sort());
});

test("each period is a setting", async () => {
  const environment = { ...platform.environment, PLATFORM_KEEP_CALLS_DAYS: 5, PLATFORM_KEEP_EVENTS_DAYS: 90 };
  await addAttempts([idAt(6), idAt(4)]);
  await addEvent(89, "DELIVERED");
  await addEvent(91, "DELIVERED");
  const removed = await removeOldRecords({ ...platform, environment }, AT_ONCE);
  expect(removed).toMatchObject({ attempts: 1, events: 1 });
});

// Guarantee: deleting a backlog blocks no call: batches are small, and they neither wait for rows in use nor make others wait
// for rows that they do not delete.
test("a full table is emptied in batches while calls are recorded and claimed", async () => {
  const old = Array.from({ length: 5_000 }, (_, index) => idAt(31 + index / 1_000));
  await addAttempts(old);
  const held = await addEvent(31, "PENDING");
  const caller = new pg.Client({ connectionString: platform.environment.DATABASE_URL });
  await caller.connect();
  // Whoever waits for a lock fails at once.
  await caller.query("set lock_timeout = 1");
  await caller.query("begin");
  await caller.query("select 1 from attempts where id = $1 for update", [old[0]]);
  await caller.query("update deliveries set attempt_count = 1 where id = $1", [held.delivery]);
  await caller.query("select 1 from events where id = $1 for key share", [held.event]);

  const batches: number[] = [];
  let left = await count("attempts");
  const controller = new AbortController();
  const removing = removeOldRecords(platform, { batchSize: 500, pauseMs: 20, signal: controller.signal });
  const ended = removing.then(() => true);
  while (!(await Promise.race([ended, new Promise<false>((resolve) => setTimeout(resolve, 5, false))]))) {
    await caller.query(
      `insert into attempts (id, organization_id, installation_id, route_id, kind, target) values ($1, $2, $3, $4, 'autofill', 'POST /')`,
      [v7(), given.organizationId, given.installationId, given.routeOf("autofill")],
    );
    await caller.query("update attempts set duration_ms = 1 where id = $1", [old[0]]);
    const now = await count("attempts");
    if (now < left) batches.push(left - now);
    left = now;
  }
  await caller.query("commit");
  await caller.end();
  expect((await removing).attempts).toBe(4_999);
  expect(batches.length).toBeGreaterThan(3);
  expect(await removeOldRecords(platform, AT_ONCE)).toMatchObject({ attempts: 1, events: 0 });
});

// Guarantee: several workers do not delete at once.
test("a worker leaves it to another one that is already deleting", async () => {
  await addAttempts([idAt(31)]);
  const client = await platform.pool.connect();
  await client.query("begin");
  await client.query("select pg_advisory_xact_lock(hashtextextended('retention', 0))");
  expect((await removeOldRecords(platform, AT_ONCE)).attempts).toBe(0);
  await client.query("commit");
  client.release();
  expect((await removeOldRecords(platform, AT_ONCE)).attempts).toBe(1);
});

// Guarantee: the history of an app begins with the state that it was in, however long ago that began.
test("old events of instances are removed, but not the last ones that say what ran", async () => {
  const { versionId } = given;
  const [ended, running] = [v7(), v7()];
  const event = (instance: string, days: number, kind: string) => ({
    version_id: versionId,
    instance_id: instance,
    at: daysAgo(days),
    kind,
  });
  await addRows("instance_events", [
    event(ended, 60, "started"),
    event(ended, 60, "ready"),
    event(running, 50, "started"),
    event(running, 50, "ready"),
    event(ended, 40, "failed"),
    event(v7(), 39, "started"),
    event(v7(), 30, "started"),
  ]);
  expect((await removeOldRecords(platform, { ...AT_ONCE, batchSize: 2 })).instanceEvents).toBe(4);
  const { rows } = await platform.pool.query<{ kind: string }>(
    "select kind from instance_events order by id",
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["ready", "started", "started"]);
});

test("samples of usage are removed after two days, and their hours after a month", async () => {
  const { versionId } = given;
  const sample = (days: number) => ({
    version_id: versionId,
    at: daysAgo(days),
    instance_id: v7(),
    cpu_ns: 1,
    memory_bytes: 1,
  });
  const hour = (days: number) => ({
    version_id: versionId,
    hour: daysAgo(days),
    samples: 1,
    used_ns: 1,
    elapsed_ms: 1,
    memory_bytes: 1,
    peak_memory_bytes: 1,
  });
  await addRows("usage_samples", [1, 3, 4, 5].map(sample));
  await addRows("usage_hours", [1, 30, 32, 33, 34].map(hour));
  const removed = await removeOldRecords(platform, { ...AT_ONCE, batchSize: 2 });
  expect(removed).toMatchObject({ usageSamples: 3, usageHours: 3 });
  expect([await count("usage_samples"), await count("usage_hours")]).toEqual([1, 2]);
});

test("what the egress guard counted is removed after 90 days, and its counters after two", async () => {
  const { versionId } = given;
  const day = (days: number) => daysAgo(days).toISOString().slice(0, 10);
  const used = (days: number) => ({
    ...{
      version_id: versionId,
      day: day(days),
      host: "a.example",
      first_at: daysAgo(days),
      last_at: daysAgo(days),
    },
  });
  await addRows("egress_days", [0, 89, 91, 92, 93].map(used));
  await addRows(
    "egress_watches",
    [0, 89, 91, 92].map((days) => ({ version_id: versionId, day: day(days) })),
  );
  const counter = (days: number) => ({
    ...{ policy: `p${days}`, host: "a.example", port: 443, since: 1, recorded_at: daysAgo(days) },
  });
  await addRows("egress_counters", [1, 3, 4, 5].map(counter));
  const removed = await removeOldRecords(platform, { ...AT_ONCE, batchSize: 2 });
  expect(removed).toMatchObject({ egressDays: 3, egressWatches: 2, egressCounters: 3 });
  expect([await count("egress_days"), await count("egress_watches")]).toEqual([2, 2]);
});

// Guarantee: finding and deleting old rows costs the same however large the tables are.
test("old rows are found and deleted by index", async () => {
  await addAttempts([idAt(31)]);
  await addEvent(31, "DELIVERED");
  await platform.pool.query(
    `with recent as (
       insert into attempts (id, organization_id, installation_id, route_id, kind, target)
       select uuidv7(), $1, $2, $3, 'autofill', 'POST /' from generate_series(1, 20000) returning id)
     insert into attempt_state_reads (attempt_id, count, first_read_at, last_read_at)
     select id, 1, now(), now() from recent`,
    [given.organizationId, given.installationId, given.routeOf("autofill")],
  );
  await platform.pool.query(
    `with recent as (
       insert into events (id, tenant_id, event_id, type, body, body_hash)
       select uuidv7(), $1, n, 'policy.issued', '{}', '-' from generate_series(1, 5000) n returning id)
     insert into deliveries (id, event_id, installation_id, route_id, state)
     select uuidv7(), id, $2, $3, 'DELIVERED' from recent`,
    [given.tenant.id, given.installationId, given.routeOf("webhook")],
  );
  await platform.pool.query("analyze attempts, attempt_state_reads, events, deliveries");
  const statements: { query: string; params: unknown[] }[] = [];
  const db = drizzle(platform.pool, {
    logger: { logQuery: (query, params) => void statements.push({ query, params }) },
  });
  const removed = await removeOldRecords({ ...platform, db }, { ...AT_ONCE, batchSize: 20 });
  expect(removed).toEqual({ attempts: 1, stateReads: 1, events: 1, ...NOTHING_ELSE });
  const reads = statements.filter(({ query }) => /\b(?:from|using) (?:attempt|event|deliver)/.test(query));
  expect(reads.length).toBeGreaterThanOrEqual(5);
  for (const { query, params } of reads) {
    const { rows } = await platform.pool.query<{ "QUERY PLAN": string }>(`explain ${query}`, params);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/Index (?:Only )?Scan/);
    expect(plan).not.toMatch(/Seq Scan on (?:attempt|event|deliver)/);
  }
});
