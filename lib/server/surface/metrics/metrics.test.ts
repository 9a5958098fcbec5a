/** What Prometheus gets, from a real listener and a real database. */
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deliveries } from "@/drizzle/schema/calls";
import type { ReportingPart } from "@/lib/contract/platform/availability";
import { AWAY_AFTER_MS } from "@/lib/domain/platform/availability";
import { acceptEvent } from "@/lib/server/calls/deliveries/accept-event";
import { callRoute } from "@/lib/server/calls/call-route";
import { serveState } from "@/lib/server/calls/serve-state";
import { endBeat, saveBeat } from "@/lib/server/platform/database/availability-queries";
import type { Platform } from "@/lib/server/platform/platform";
import { EGRESS_GUARD_UP } from "@/lib/server/runtime/start-metrics";
import { createPlatform, closePlatform } from "@/lib/server/surface/create-platform";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import { givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { ALL_METRICS, REFUSALS } from "./all-metrics";
import * as queries from "./metrics-queries";
import { type MetricsServer, serveMetrics } from "./serve-metrics";

vi.mock("./metrics-queries", async (original) => {
  const real = await original<typeof queries>();
  return { selectReadings: vi.fn(real.selectReadings) };
});

const platform = await testPlatform();
let server: MetricsServer | undefined;
let others: Platform[] = [];
beforeEach(() => {
  vi.mocked(queries.selectReadings).mockClear();
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  for (const other of others) await closePlatform(other);
  others = [];
});

/** A process of its own, which serves metrics on a free port. */
async function open(changes: Partial<Platform["environment"]> = {}): Promise<Platform> {
  const other = createPlatform({ ...platform.environment, PLATFORM_METRICS_PORT: 0, ...changes }, "gateway");
  others.push(other);
  server = await serveMetrics(other);
  return other;
}

async function scrape(method = "GET", address = "/metrics") {
  const response = await fetch(`http://127.0.0.1:${server?.port}${address}`, { method });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

/** After what it remembers of the last second is over. */
async function scrapeAnew(): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, 1_050));
  return (await scrape()).text;
}

/** The value of a series, by its name and labels as they are written. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

const isPrometheusLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("/prom-client/"));

// Guarantee: without a port, nothing listens, and the package is not even loaded.
test("metrics are off by default", async () => {
  expect(platform.environment.PLATFORM_METRICS_PORT).toBeNull();
  expect(await serveMetrics(platform)).toBeUndefined();
  expect(isPrometheusLoaded()).toBe(false);
  await open();
  expect(isPrometheusLoaded()).toBe(true);
});

test("only GET /metrics is answered", async () => {
  await open();
  expect(await scrape()).toMatchObject({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" });
  expect(await scrape("GET", "/")).toMatchObject({ status: 404 });
  expect(await scrape("POST")).toMatchObject({ status: 405 });
});

// Guarantee: docs/metrics.md names exactly the metrics that there are, with their types and labels.
test("the documentation lists what is registered", async () => {
  const page = await readFile(path.resolve("docs/metrics.md"), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)`\s+\| (\w+)\s+\| (.*?)\s+\|/gm)].map(
    ([, name = "", type = "", labels = ""]) => `${name} ${type} ${labels.replaceAll("`", "").trim()}`,
  );
  await open();
  const { text } = await scrape();
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => ({
    name,
    type,
  }));
  const labelsOf = (name: string) =>
    Object.keys(ALL_METRICS.find((each) => each.name === name)?.labels ?? {}).join(", ");
  expect(listed.filter((each) => each.startsWith("platform_")).sort()).toEqual(
    types
      .filter(({ name }) => name.startsWith("platform_"))
      .map(({ name, type }) => `${name} ${type} ${labelsOf(name)}`.trimEnd())
      .map((each) => (each.split(" ").length === 2 ? `${each} ` : each))
      .sort(),
  );
  for (const { name } of types.filter((each) => !each.name.startsWith("platform_")))
    expect(page, name).toContain(`\`${name}\``);
});

// Guarantee: whatever is counted is in the list, so it is registered and documented.
test("no metric is declared and forgotten", async () => {
  const files = await readdir("lib/server", { recursive: true });
  const texts = files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFile(path.join("lib/server", file), "utf8"));
  const declared = (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/^ *(?:name: |\w+: fromDatabase\(|)"(platform_[a-z_]+)",/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  expect([...declared].sort()).toEqual(ALL_METRICS.map(({ name }) => name as string).sort());
});

test("names follow Prometheus' conventions", () => {
  for (const { name, type, help } of ALL_METRICS) {
    expect(name).toMatch(/^platform_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith("_total"), name).toBe(type === "counter");
    if (type === "histogram") expect(name).toMatch(/_seconds$/);
    expect(name).not.toMatch(/_(ms|millis\w*|minutes|kb|mb)$/);
    expect(help).not.toMatch(/\.$/);
  }
});

// Guarantee: nothing from outside becomes a time series.
test("a million label values add one series and no memory", async () => {
  const { metrics } = await open();
  const count = (from: number) => {
    for (let n = from; n < from + 500_000; n += 1)
      metrics.add(REFUSALS, { work: `app-${n}`, code: `https://host-${n}.example/path` });
  };
  count(0);
  const before = process.memoryUsage().heapUsed;
  count(500_000);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  const series = (await scrape()).text
    .split("\n")
    .filter((line) => line.startsWith("platform_requests_refused_total") && !line.endsWith(" 0"));
  expect(series).toEqual(['platform_requests_refused_total{work="other",code="other"} 1000000']);
});

// Guarantee: a counter's first event shows in a rate.
test("counters begin at 0, with every combination of their labels", async () => {
  await open();
  const { text } = await scrape();
  const counted = ALL_METRICS.filter(({ type }) => type === "counter").flatMap(({ name, labels }) => {
    const series = text.split("\n").filter((line) => line.startsWith(name));
    expect(
      series.every((line) => line.endsWith(" 0")),
      name,
    ).toBe(true);
    expect(series.length, name).toBe(
      Object.values(labels).reduce((product, values) => product * values.length, 1),
    );
    return series;
  });
  expect(counted).toContain('platform_calls_total{kind="autofill",outcome="app-timed-out"} 0');
  expect(counted.length).toBeLessThan(400);
});

// Guarantee: however often somebody scrapes, the database is asked once in five seconds, and the text is written once a second.
test("hundreds of scrapes cost one reading", async () => {
  await open();
  await scrape();
  const from = process.cpuUsage();
  const beganAt = performance.now();
  for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 30 }, () => scrape()));
  const { user, system } = process.cpuUsage(from);
  const seconds = (performance.now() - beganAt) / 1_000;
  expect(vi.mocked(queries.selectReadings).mock.calls.length).toBeLessThanOrEqual(1 + Math.ceil(seconds / 5));
  // Sender and receiver of 300 requests together.
  expect((user + system) / 300).toBeLessThan(10_000);
});

// Guarantee: metrics answer when they matter most.
test("while the database is away, the scrape answers and says so", async () => {
  await open({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
  const { status, text } = await scrape();
  expect(status).toBe(200);
  expect(valueOf(text, "platform_database_up")).toBe(0);
  expect(text).not.toMatch(/^platform_(instances|queue_due|audit_entries)[{ ]/m);
  expect(valueOf(text, 'platform_database_connections{pool="main",state="idle"}')).toBe(0);
});

// Guarantee: no alert about what a part doesn't have.
test("a gauge that nobody reads is left out, also when its reader has ended", async () => {
  const { metrics } = await open();
  expect((await scrape()).text).not.toMatch(/^platform_(egress_guard_up|worker_stuck_loops)[{ ]/m);
  let guard: 0 | 1 | undefined = 0;
  metrics.read(EGRESS_GUARD_UP, () => (guard === undefined ? undefined : [{ labels: {}, value: guard }]));
  expect(valueOf(await scrapeAnew(), "platform_egress_guard_up")).toBe(0);
  guard = undefined;
  expect(valueOf(await scrapeAnew(), "platform_egress_guard_up")).toBeUndefined();
});

// Guarantee: the alert about the last worker fires, whether it was stopped or killed.
test("only workers that work are counted", async () => {
  const count = async () =>
    (await queries.selectReadings(platform)).find(({ gauge }) => gauge === "workers")?.value;
  const report = (id: string, part: ReportingPart = "worker") =>
    saveBeat(platform.db, { id, part, host: "here", release: "1.0.0", masterKeys: [] }, AWAY_AFTER_MS);
  await report(randomUUID(), "gateway");
  expect(await count()).toBe(0);
  const id = randomUUID();
  await report(id);
  expect(await count()).toBe(1);
  await platform.pool.query("update part_beats set seen_at = now() - interval '11 seconds' where id = $1", [
    id,
  ]);
  expect(await count()).toBe(0);
  await report(id);
  expect(await count()).toBe(1);
  await endBeat(platform.db, id);
  expect(await count()).toBe(0);
});

test("calls, deliveries, state reads and queues are counted", async () => {
  const process = await open();
  const { version, tenant, route } = await givenInstalledApp(platform);
  const { app } = await givenInstance(
    platform,
    version.id,
    (response) => void response.end('{"make":"Volvo"}'),
  );
  const autofill = route("autofill");
  const call = { operation: "newBusiness.create" };
  await callRoute(process, autofill.id, call);
  app.respond = (response) => void response.writeHead(500).end();
  await callRoute(process, autofill.id, call);
  await serveState(process, String(app.received[0]?.headers["x-platform-key"]));
  await expect(serveState(process, "unknown")).rejects.toThrow();
  const event = { id: "e1", type: "policy.issued", timestamp: new Date().toISOString(), data: {} };
  await acceptEvent(process, tenant.id, event);
  await platform.db.update(deliveries).set({ nextAttemptAt: new Date(Date.now() - 90_000) });

  const text = await scrapeAnew();
  const expected: Record<string, number> = {
    'platform_calls_total{kind="autofill",outcome="ok"}': 1,
    'platform_calls_total{kind="autofill",outcome="app-response-status"}': 1,
    'platform_call_duration_seconds_count{kind="autofill"}': 2,
    'platform_state_reads_total{result="served"}': 1,
    'platform_state_reads_total{result="refused"}': 1,
    'platform_queue_due{queue="deliveries"}': 1,
    'platform_queue_due{queue="mails"}': 0,
    'platform_instances{state="READY"}': 1,
    'platform_instances{state="STARTING"}': 0,
    platform_database_up: 1,
    'platform_database_connections_max{pool="main"}': 10,
  };
  for (const [series, value] of Object.entries(expected)) expect(valueOf(text, series), series).toBe(value);
  const oldest = valueOf(text, 'platform_queue_oldest_seconds{queue="deliveries"}') ?? 0;
  expect(oldest).toBeGreaterThan(85);
  expect(oldest).toBeLessThan(200);

  await sendDueDeliveries(process);
  expect(valueOf(await scrapeAnew(), 'platform_delivery_attempts_total{state="PENDING"}')).toBe(1);
});

// Guarantee: what the platform doesn't hold back is not its delay.
test("deliveries that wait for a stopped app, or for a breaker, are not the platform's delay", async () => {
  const { version, tenant, installation } = await givenInstalledApp(platform);
  const event = { id: "e1", type: "policy.issued", timestamp: new Date().toISOString(), data: {} };
  await acceptEvent(platform, tenant.id, event);
  await platform.db.update(deliveries).set({ nextAttemptAt: new Date(Date.now() - 90_000) });
  const oldest = async () =>
    (await queries.selectReadings(platform)).find(
      ({ gauge, label }) => gauge === "oldest" && label === "deliveries",
    )?.value;
  expect(await oldest()).toBe(0);
  await givenInstance(platform, version.id, (response) => void response.end());
  expect(await oldest()).toBeGreaterThan(85);
  await platform.pool.query(
    "insert into breakers (installation_id, state, opened_at, probe_at) values ($1, 'OPEN', now(), now() + interval '1 hour')",
    [installation.id],
  );
  expect(await oldest()).toBe(0);
});

// Guarantee: a port that is taken ends no part.
test("metrics that can't be served are logged, and the part goes on", async () => {
  await open();
  const taken = server?.port ?? 0;
  const other = createPlatform({ ...platform.environment, PLATFORM_METRICS_PORT: taken }, "worker");
  others.push(other);
  expect(await serveMetrics(other)).toBeUndefined();
});
