import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { readJwks } from "../keys/sign-token";
import { moveDemoTenants } from "./move-demo-tenants";
import { isUnused, seedDemo } from "./seed-demo";

const platform = await testPlatform();

/** All that the demo's core wants of a gateway: the public keys. */
const gateway = createServer(
  async (_request, response) => void response.end(JSON.stringify(await readJwks(platform))),
);
let core: ChildProcess;
let coreUrl = "";

async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

beforeAll(async () => {
  const probe = createServer();
  const port = await portOf(probe);
  probe.close();
  coreUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    CORE_PORT: String(port),
    CORE_URL: coreUrl,
    CORE_GATEWAY: `http://127.0.0.1:${await portOf(gateway)}`,
  };
  core = spawn(process.execPath, ["examples/core/server.mjs"], { env, stdio: "inherit" });
  await vi.waitFor(() => fetch(`${coreUrl}/health`), { timeout: 10_000 });
});

afterAll(() => {
  core.kill("SIGKILL");
  gateway.close();
});

function seed(credentials: Map<string, string>) {
  // There is no worker here: the installations are looked at as launched, not as running.
  return seedDemo(platform, {
    coreUrl,
    examplesFolder: path.resolve("examples"),
    imageOf: undefined,
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

// Guarantee: the demo goes through the same verbs as people do, and a start that was cut off can simply go on.
test("seeds three public, verified apps, each launched by two customers; a second time changes nothing", async () => {
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

test("the secrets of the demo's settings are sealed", async () => {
  await seed(new Map());
  const { rows } = await platform.pool.query<{ all: string }>(
    "select string_agg(settings::text, '') as all from configurations",
  );
  expect(rows[0]?.all).not.toMatch(/signs-with|provider-account/);
});

test("its tenants follow the core to another address, with an audit row each", async () => {
  await seed(new Map());
  await moveDemoTenants(platform, "http://172.17.0.1:4100");
  await moveDemoTenants(platform, "http://172.17.0.1:4100");
  expect(await count("tenants where core_api_url like 'http://172.17.0.1:4100/tenants/%'")).toBe(2);
  expect(await count("audit where action = 'tenant.move'")).toBe(2);
});
