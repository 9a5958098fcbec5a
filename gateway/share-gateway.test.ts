import pg from "pg";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { drainServers } from "@/lib/server/platform/requests/drain-servers";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { closePlatform, createPlatform } from "@/lib/server/surface/create-platform";
import { serveMetrics } from "@/lib/server/surface/metrics/serve-metrics";
import { givenCredential, givenInstalledApp, testPlatform } from "@/tests/test-platform";
import { createGateway } from "./serve";
import { createPacer, shareGateway } from "./share-gateway";

const platform = await testPlatform();
const CREDENTIAL = "pcc_test-credential-of-a-core";

// Guarantee: few refusals are answered at once; those of a flood are spread, so that they leave time for accepted requests, and
// none is held for long.
test("a flood of refusals is spread, and an occasional one isn't held", () => {
  let time = 0;
  const pace = createPacer(() => time);
  const held = Array.from({ length: 2_000 }, pace);
  expect(held.filter((ms) => ms === 0)).toHaveLength(100);
  const later = held.slice(100);
  expect(later[0]).toBe(1_000);
  expect(later[500]).toBe(1_500);
  expect(Math.max(...later, ...Array.from({ length: 5_000 }, pace))).toBe(3_000);
  time = 60_000;
  expect(pace()).toBe(0);
});

// Guarantee: a database that allows what docs/production.md and the chart's notes calculate is enough for the busiest gateway.
test("a gateway that waits for everything opens as many connections as the documents say", async () => {
  const { tenant, installation, route } = await givenInstalledApp(platform);
  await givenCredential(platform, tenant.id, CREDENTIAL);
  const settings = { PLATFORM_DATABASE_CONNECTIONS: 3, PLATFORM_METRICS_PORT: 0 };
  const busy = createPlatform({ ...platform.environment, ...settings }, "gateway");
  const shared = shareGateway(busy, true);
  const server = createGateway(busy, undefined, shared);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const metrics = await serveMetrics(busy);
  const blocker = new pg.Client({ connectionString: platform.environment.DATABASE_URL });
  await blocker.connect();
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const state = () => {
    const key = { installationId: installation.id, routeId: route("autofill").id, attemptId: v7() };
    const until = new Date(Date.now() + 60_000);
    return `/state/${sealStateKey(platform.keyring, { ...key, revision: 1, epoch: 0, expiresAt: until })}`;
  };
  const core = { authorization: `Bearer ${CREDENTIAL}`, "content-type": "application/json" };
  const post = (body: object) => ({ method: "POST", headers: core, body: JSON.stringify(body) });
  const event = () => ({ id: v7(), type: "policy.issued", timestamp: Date.now(), data: {} });
  const askEach = () => [
    fetch(base + state()),
    fetch(`${base}/r/${route("autofill").id}`, post({ operation: "newBusiness.create" })),
    fetch(`${base}/core/v1/events`, post(event())),
    fetch(`${base}/publish/v1/apps/acme/vin/calls`, { headers: { authorization: "Bearer pak_unknown" } }),
  ];
  try {
    // Callers are known from now on.
    await Promise.all(askEach());
    await blocker.query("begin");
    // Without those that `/ready` reads.
    const { rows } = await blocker.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'part_beats'",
    );
    const names = rows.map(({ name }) => pg.escapeIdentifier(name));
    await blocker.query(`lock table ${names.join(", ")} in access exclusive mode`);
    const pools = [busy, ...shared.platforms.values()].map(({ pool }) => pool);
    const asked = [
      ...Array.from({ length: 40 }, askEach).flat(),
      fetch(`${base}/ready`),
      fetch(`http://127.0.0.1:${metrics?.port}/metrics`),
      // What a class does besides sharing statements.
      ...Array.from({ length: 5 }, () =>
        pools.map((pool) => pool.query("select from attempts limit 1")),
      ).flat(),
    ];
    const count = async () => {
      const { rows } = await platform.pool.query<{ open: number }>(
        "select count(*)::int as open from pg_stat_activity where application_name = 'app-hosting gateway'",
      );
      return rows[0]?.open ?? 0;
    };
    // Its setting, 4, 4 and 6 tenths of it rounded up, 4 for shared statements, one for `/ready` and one for metrics.
    const most = 3 + 2 + 2 + 2 + 4 + 1 + 1;
    await expect.poll(count).toBe(most);
    for (let look = 0; look < 10; look += 1) expect(await count()).toBeLessThanOrEqual(most);
    await blocker.query("rollback");
    await Promise.allSettled(asked);
  } finally {
    await blocker.end();
    await metrics?.close();
    await drainServers([server], 1_000);
    await Promise.all([...shared.platforms.values(), busy].map(closePlatform));
  }
});
