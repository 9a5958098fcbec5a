import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { attempts } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import type { InstallationStatus } from "@/lib/contract/insight/health";
import type { Respond } from "@/tests/fake-app";
import { fakeRuntimes } from "@/tests/fake-runtime";
import { countRowsRead } from "@/tests/rows-read";
import {
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  testPlatform,
} from "@/tests/test-platform";
import { listInstallations } from "../../installations/list-installations";
import { readInstallation } from "../../installations/read-installation";
import { readTenant } from "../../installations/tenants/read-tenants";
import { restoreInstances } from "../../installations/work/restore-instances";
import { checkInstances } from "../../runtime/check-instances";
import { ensureInstance } from "../../runtime/ensure-instance";
import { readOwnApp, readOwnOverview } from "../../surface/read-own-listing";
import { selectFailedCalls } from "./health-queries";

const platform = await testPlatform();
const healthy: Respond = (response) => void response.end("ok");

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme", "publisher");
  const customer = await givenMember(platform, "harbor");
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true });
  const { tenant } = await givenTenant(platform, customer);
  const { installation, routes } = await givenInstallation(platform, customer, version, tenant.id);
  const fake = fakeRuntimes(healthy);
  await ensureInstance(platform, fake.runtimes, version.id);
  return { publisher, customer, version, tenant, installation, routes, fake };
}

/** The health on the page, after checking that the list, its filter and the tenant's page agree. */
async function healthEverywhere() {
  const { customer, installation, tenant } = world;
  const { health } = await readInstallation(platform, customer, installation.id);
  expect(one((await readTenant(platform, customer, tenant.id)).installations).health).toEqual(health);
  for (const state of ["RUNNING", "DEGRADED", "DOWN", "ERROR"] satisfies InstallationStatus[]) {
    const { installations: listed, counts } = await listInstallations(platform, customer, { state });
    expect(listed.map((row) => row.health)).toEqual(state === health.status ? [health] : []);
    expect(counts[state]).toBe(listed.length);
  }
  return health;
}

async function crash() {
  world.fake.crash();
  await checkInstances(platform, world.fake.runtimes, 0);
}

async function restart() {
  await platform.pool.query("update instances set ended_at = ended_at - interval '1 minute'");
  await restoreInstances(platform, world.fake.runtimes);
}

// Guarantee: a crash is visible at once with its reason, and stays visible after the restart.
test("five crashes: down with the reason after each, degraded after each restart", async () => {
  expect(await healthEverywhere()).toEqual({ status: "RUNNING", problems: [] });
  for (let count = 1; count <= 5; count += 1) {
    await crash();
    expect(await healthEverywhere()).toMatchObject({
      status: "DOWN",
      problems: [{ cause: "not-running", count, reason: "The app exited with code 1." }],
    });
    await restart();
    expect(await healthEverywhere()).toMatchObject({
      status: "DEGRADED",
      problems: [{ cause: "failures", count, reason: "The app exited with code 1." }],
    });
  }
  await platform.pool.query("update instances set ended_at = ended_at - interval '10 minutes'");
  expect(await healthEverywhere()).toEqual({ status: "RUNNING", problems: [] });
});

test("failing health checks are shown with their reason until one succeeds", async () => {
  world.fake.app().respond = (response) => void response.writeHead(500).end();
  await checkInstances(platform, world.fake.runtimes, 0);
  expect(await healthEverywhere()).toMatchObject({
    status: "DEGRADED",
    problems: [{ cause: "health-checks", count: 1, reason: expect.stringContaining("returned 500") }],
  });
  world.fake.app().respond = healthy;
  await checkInstances(platform, world.fake.runtimes, 0);
  expect(await healthEverywhere()).toMatchObject({ status: "RUNNING" });
});

/** Calls that ended, one a second, up to now; null succeeded. */
async function givenCalls(failures: (string | null)[], id = world.installation.id) {
  await platform.db.update(instances).set({ readyAt: sql`now() - interval '30 minutes'` });
  const routeId = world.routes[0]?.id ?? "";
  const { organizationId } = world.installation;
  const rows = failures.map((failure, index) => ({
    organizationId,
    installationId: id,
    routeId,
    kind: "autofill" as const,
    target: "POST /autofill",
    startedAt: sql`now() - make_interval(secs => ${failures.length - index})`,
    durationMs: 1,
    failure,
  }));
  await platform.db.insert(attempts).values(rows);
}

test("twenty failed calls are degraded since the first of them; one that succeeds ends that", async () => {
  await givenCalls(["It returned 400.", null, ...Array<string>(20).fill("It returned 500.")]);
  const { status, problems } = await healthEverywhere();
  expect(status).toBe("DEGRADED");
  expect(problems).toMatchObject([{ cause: "calls", count: 20, reason: "It returned 500." }]);
  expect(Date.now() - Date.parse(one(problems).since)).toBeGreaterThan(19_000);
  await givenCalls([null]);
  expect(await healthEverywhere()).toMatchObject({ status: "RUNNING" });
});

test("calls of another installation, and those of an earlier instance, do not count", async () => {
  const other = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, other, "alpine.core.example");
  const { installation } = await givenInstallation(platform, other, world.version, tenant.id);
  await givenCalls(Array<string>(5).fill("It returned 500."), installation.id);
  expect(await healthEverywhere()).toMatchObject({ status: "RUNNING" });
  await givenCalls(Array<string>(5).fill("It returned 500."));
  await platform.db.update(instances).set({ readyAt: sql`now()` });
  expect(await healthEverywhere()).toMatchObject({ status: "RUNNING" });
});

// Guarantee: customers see why an app failed; only its publisher sees what it logged.
test("the last failure survives the restart, and its log is for the publisher alone", async () => {
  await crash();
  await restart();
  const { customer, publisher, installation } = world;
  const seen = await readInstallation(platform, customer, installation.id);
  expect(seen.logsPath).toBeNull();
  expect(seen.instance).toMatchObject({
    state: "READY",
    failures: 1,
    lastFailure: { reason: "The app exited with code 1." },
    log: null,
  });
  await platform.db
    .update(installations)
    .set({ organizationId: publisher.organization.id })
    .where(eq(installations.id, installation.id));
  const own = await readInstallation(platform, publisher, installation.id);
  expect(own.instance?.log?.text).toBe("the log's end");
  expect(own.logsPath).toBe("/publish/vin-lookup/logs?version=1.4.0");
  const { listing } = await readOwnApp(platform, publisher, "vin-lookup");
  const { failures } = await readOwnOverview(platform, publisher, listing);
  expect(failures).toMatchObject([
    { versionId: world.version.id, reason: "The app exited with code 1.", log: { text: "the log's end" } },
  ]);
  const operator = { ...publisher, organization: { ...publisher.organization, role: "operator" as const } };
  expect(await readInstallation(platform, operator, installation.id)).toMatchObject({
    instance: { log: null },
    logsPath: null,
  });
});

// Guarantee: health reads the calls of the last hour, however many are stored.
test("health does not read calls from before the last hour", async () => {
  const { customer, installation, routes } = world;
  await platform.pool.query(
    `insert into attempts (id, organization_id, installation_id, route_id, kind, target, duration_ms, started_at)
     select uuidv7(make_interval(mins => -n)), $1, $2, $3, 'lifecycle', 'GET /_app/start', 5, now() - make_interval(mins => n)
       from generate_series(1, 10000) n`,
    [customer.organization.id, installation.id, one(routes.slice(0, 1)).id],
  );
  await platform.pool.query("analyze attempts");
  const read = await countRowsRead(platform, "attempts", (tx) => selectFailedCalls(tx, [installation.id]));
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThanOrEqual(70);
});
