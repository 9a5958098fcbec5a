import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAuditChains, verifyAudit } from "@/lib/server/platform/verify-audit";
import { startExampleCore } from "@/tests/example-core";
import { testPlatform } from "@/tests/test-platform";
import { growDemo } from "./grow";
import { isUnused, moveDemoTenants, seedDemo } from "./seed";

const platform = await testPlatform();

let core: Awaited<ReturnType<typeof startExampleCore>>;

beforeAll(async () => {
  core = await startExampleCore(platform);
});

afterAll(() => core.end());

function seed(credentials: Map<string, string>) {
  // Without a worker, installations stay LAUNCHING.
  return seedDemo(platform, {
    coreUrl: core.coreUrl,
    examplesFolder: path.resolve("examples"),
    buildImage: undefined,
    setUpTenant: async (hostName, credential) => void credentials.set(hostName, credential),
    report: () => undefined,
    launchMs: 0,
  });
}

async function count(statement: string): Promise<number> {
  const { rows } = await platform.pool.query<{ count: number }>(
    `select count(*)::int as count from ${statement}`,
  );
  return rows[0]?.count ?? -1;
}

// Guarantee: the demo is set up by the functions that serve users' requests, and an interrupted start can continue.
test("seeds three public, verified apps, each launched by two customers; seeding again changes nothing", async () => {
  expect(await isUnused(platform)).toBe(true);
  const credentials = new Map<string, string>();
  await seed(credentials);
  expect(await isUnused(platform)).toBe(false);
  expect(await count("listings where state = 'PUBLIC'")).toBe(3);
  expect(await count("versions where verified_at is not null")).toBe(3);
  expect(await count("installations where state = 'LAUNCHING' and not test")).toBe(6);
  expect(await count("products")).toBe(3);
  expect([...credentials.keys()]).toEqual(["harbor-mutual.core.example", "alpine-insurance.core.example"]);
  expect(await count("sessions where revoked_at is null")).toBe(0);

  await seed(credentials);
  expect(await count("versions")).toBe(3);
  expect(await count("installations")).toBe(6);
});

test("secret settings of the demo are encrypted", async () => {
  await seed(new Map());
  const { rows } = await platform.pool.query<{ all: string }>(
    "select string_agg(settings::text, '') as all from configurations",
  );
  expect(rows[0]?.all).not.toMatch(/signs-with|provider-account/);
});

test("the demo's tenants follow its core to a new address, with an audit row each", async () => {
  await seed(new Map());
  await moveDemoTenants(platform, "http://172.17.0.1:4100");
  await moveDemoTenants(platform, "http://172.17.0.1:4100");
  expect(await count("tenants where core_api_url like 'http://172.17.0.1:4100/tenants/%'")).toBe(2);
  expect(await count("audit where action = 'tenant.move'")).toBe(2);
});

function grow(signal = new AbortController().signal) {
  const picturesFolder = path.resolve("demo/pictures");
  const reports: string[] = [];
  const report = (message: string) => void reports.push(message);
  const growth = { examplesFolder: path.resolve("examples"), picturesFolder, signal, report };
  return growDemo(platform, growth).then((complete) => ({ complete, reports }));
}

/** Notes the reviews that wait for a decision when the transaction that submits them commits. */
async function notePendingReviews(): Promise<void> {
  await platform.pool.query(`
    create table pending_at_commit (review_id uuid);
    create function note_pending() returns trigger language plpgsql as $$ begin
      insert into pending_at_commit select id from reviews where id = new.review_id and state = 'PENDING';
      return null;
    end $$;
    create constraint trigger note_pending after insert on evidence deferrable initially deferred
      for each row execute function note_pending()`);
}

const TABLES = ["listings", "versions", "reviews", "images", "installations", "attempts", "events", "audit"];
const countAll = () => Promise.all(TABLES.map((table) => count(table)));

// Guarantee: the demo shows every part of the product, by the product's own rules, and growing again changes nothing.
test("grows to a dozen listings with pictures, a waiting review, an upgrade, an app to fail, and a week of calls", async () => {
  await notePendingReviews();
  await seed(new Map());
  expect(await grow()).toEqual({ complete: true, reports: [] });
  expect(await count("listings where state = 'PUBLIC'")).toBe(12);
  expect(await count("listings where icon is null or screenshots = '[]' or category = 'other'")).toBe(0);
  expect(await count("(select distinct organization_id from listings) publishers")).toBe(3);
  expect(
    await count(
      "organizations o where exists (select from listings where organization_id = o.id) and '' not in (description, website, support_address)",
    ),
  ).toBe(3);
  expect(
    await count("reviews join evidence e on e.review_id = reviews.id where reviews.state = 'PENDING'"),
  ).toBe(1);
  expect(
    await count(
      "versions where number = '1.1.0' and verified_at is not null and manifest ->> 'name' like '%telematics%'",
    ),
  ).toBe(1);
  expect(
    await count("installations i join listings l on l.id = i.listing_id where app_name = 'claims-intake'"),
  ).toBe(1);
  expect(await count("sessions where revoked_at is null")).toBe(0);
  // The other reviews were decided in the transaction that submitted them: no worker begins to check what needs no checks.
  expect(await count("pending_at_commit")).toBe(1);
  for (const chain of await listAuditChains(platform))
    expect(await verifyAudit(platform, chain)).toMatchObject({ intact: true });
  await expectCountedHours();

  const before = await countAll();
  expect(await grow()).toEqual({ complete: true, reports: [] });
  // Signing in and out again is recorded.
  expect((await countAll()).slice(0, -1)).toEqual(before.slice(0, -1));
});

/** Charts of weeks add up to the calls that lists show. */
async function expectCountedHours(): Promise<void> {
  expect(await count("attempts where started_at > now() - interval '7 days'")).toBeGreaterThan(5_000);
  expect(await count("attempts where started_at > now() or ended_at < started_at")).toBe(0);
  const { rows } = await platform.pool.query(`
    with counted as (select sum(c)::int as calls, sum(f)::int as failed from call_hours, unnest(calls, failed) as u(c, f)),
         listed as (select count(*)::int as calls, count(failure)::int as failed from attempts
                     where started_at < (select max(hour) + interval '1 hour' from call_hours))
    select counted.calls = listed.calls as calls, counted.failed = listed.failed as failed,
           listed.failed between 10 and listed.calls / 20 as some
      from counted, listed`);
  expect(rows).toEqual([{ calls: true, failed: true, some: true }]);
  expect(
    await count("attempts a join deliveries d on d.id = a.delivery_id join events e on e.id = d.event_id"),
  ).toBe(await count("attempts where kind = 'webhook'"));
}

// Guarantee: what a visitor did in the meantime stays.
test("skips what a visitor has changed, and stops when it is told to", async () => {
  await seed(new Map());
  const stopped = new AbortController();
  stopped.abort();
  expect(await grow(stopped.signal)).toEqual({ complete: false, reports: [] });
  expect(await count("listings")).toBe(3);
  await platform.pool.query("update listings set state = 'RETIRED' where app_name = 'vin-autofill'");
  const { complete, reports } = await grow();
  expect(complete).toBe(true);
  expect(reports).toEqual([expect.stringContaining("retired")]);
  expect(await count("listings where state = 'PUBLIC'")).toBe(11);
});
