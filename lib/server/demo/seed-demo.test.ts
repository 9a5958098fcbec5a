import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { testPlatform } from "@/tests/test-platform";
import { readJwks } from "../keys/sign-token";
import { isUnused, seedDemo } from "./seed-demo";
import { moveDemoTenants } from "./set-up-customer";

const platform = await testPlatform();

/** Serves the only thing that the demo's core needs of a gateway: public keys. */
const gateway = createServer(
  async (_request, response) => void response.end(JSON.stringify(await readJwks(platform))),
);
let core: ChildProcess;
let coreUrl = "";

async function listenOnFreePort(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

beforeAll(async () => {
  const probe = createServer();
  const port = await listenOnFreePort(probe);
  probe.close();
  coreUrl = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    CORE_PORT: String(port),
    CORE_URL: coreUrl,
    CORE_GATEWAY: `http://127.0.0.1:${await listenOnFreePort(gateway)}`,
  };
  core = spawn(process.execPath, ["examples/core/server.mjs"], { env, stdio: "inherit" });
  await vi.waitFor(() => fetch(`${coreUrl}/health`), { timeout: 10_000 });
});

afterAll(() => {
  core.kill("SIGKILL");
  gateway.close();
});

function seed(credentials: Map<string, string>) {
  // Without a worker, installations stay LAUNCHING.
  return seedDemo(platform, {
    coreUrl,
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
