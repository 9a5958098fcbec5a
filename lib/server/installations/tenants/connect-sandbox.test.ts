import { afterAll, beforeAll, expect, test } from "vitest";
import { startExampleCore } from "@/tests/example-core";
import { givenMember, testPlatform } from "@/tests/test-platform";
import { authenticateCore } from "../../accounts/credentials/authenticate-core";
import type { Platform } from "../../platform/platform";
import { connectSandbox, moveSandboxes } from "./connect-sandbox";
import { connectTenant, disconnectTenant, editTenant } from "./connect-tenant";
import { listTenants, readTenant } from "./read-tenants";
import { refreshProducts, testConnection, testTenant } from "./test-connection";

const bare = await testPlatform({ PLATFORM_PRIVATE_CORES: "0" });
/** As in production: private cores are not allowed, and the platform has its own core. */
let platform: Platform;
let core: Awaited<ReturnType<typeof startExampleCore>>;

beforeAll(async () => {
  core = await startExampleCore(bare);
  platform = { ...bare, environment: { ...bare.environment, PLATFORM_SANDBOX_CORE_URL: core.coreUrl } };
});

afterAll(() => core.end());

test("a sandbox has products with samples and a tested connection", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectSandbox(platform, owner);
  const view = await readTenant(platform, owner, tenantId);
  expect(view).toMatchObject({
    name: "Sandbox",
    hostName: "harbor.sandbox",
    sandbox: true,
    connection: { ok: true },
    products: [
      { name: "Sample Auto", sample: { vehicle: { make: "Honda" } } },
      { name: "Sample Home", sample: { sumInsured: 350000 } },
    ],
  });
  expect(await refreshProducts(platform, owner, tenantId)).toMatchObject({ changed: [], added: [] });
  expect(await testTenant(platform, owner, tenantId)).toMatchObject({ ok: true });
});

// Guarantee: an organization has one sandbox, however often and fast it is requested.
test("repeated and simultaneous requests return the same sandbox", async () => {
  const owner = await givenMember(platform, "harbor");
  const ids = await Promise.all([1, 2, 3].map(() => connectSandbox(platform, owner)));
  expect(new Set(ids.map((each) => each.tenantId)).size).toBe(1);
  expect(await connectSandbox(platform, owner)).toEqual(ids[0]);
  expect((await listTenants(platform, owner)).tenants).toHaveLength(1);
  await fetch(`${core.coreUrl}/tenants/harbor.sandbox/events`, {
    method: "POST",
    body: '{"type":"policy.issued"}',
  });
  const credential = (core.received.at(-1) ?? "").replace("Bearer ", "");
  expect(await authenticateCore(platform, `Bearer ${credential}`)).toMatchObject(ids[0] ?? {});
});

test("each organization has its own sandbox; another tenant named Sandbox is left alone", async () => {
  const harbor = await givenMember(platform, "harbor");
  const alpine = await givenMember(platform, "alpine");
  const one = await connectSandbox(platform, harbor);
  await platform.pool.query("update tenants set sandbox = false");
  const two = await connectSandbox(platform, harbor);
  expect(two).not.toEqual(one);
  expect(await readTenant(platform, harbor, two.tenantId)).toMatchObject({ name: "Sandbox 2" });
  const other = await connectSandbox(platform, alpine);
  await expect(readTenant(platform, harbor, other.tenantId)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a disconnected sandbox can be created again", async () => {
  const owner = await givenMember(platform, "harbor");
  const first = await connectSandbox(platform, owner);
  await disconnectTenant(platform, owner, first.tenantId);
  const again = await connectSandbox(platform, owner);
  expect(again).not.toEqual(first);
  expect(await testTenant(platform, owner, again.tenantId)).toMatchObject({ ok: true });
});

// Guarantee: only sandboxes reach the platform's own core, and they reach no other private address.
test("private networks stay unreachable", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectSandbox(platform, owner);
  const coreApiUrl = `${core.coreUrl}/tenants/harbor.sandbox`;
  const input = { name: "Mine", hostName: "harbor.sandbox", coreApiUrl };
  await expect(connectTenant(platform, owner, input)).rejects.toMatchObject({
    code: "CORE_FAILED",
    detail: /does not connect/,
  });
  expect(await testConnection(platform, owner, input)).toMatchObject({ ok: false });
  const elsewhere = coreApiUrl.replace(/:\d+/, `:${new URL(core.coreUrl).port === "9" ? 8 : 9}`);
  await platform.pool.query("update tenants set core_api_url = $1", [elsewhere]);
  expect((await testTenant(platform, owner, tenantId)).steps).toMatchObject([{ step: "address", ok: false }]);
});

test("a sandbox cannot be edited and follows its core to a new address", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectSandbox(platform, owner);
  const input = { name: "Mine", hostName: "x.example", coreApiUrl: "https://core.example" };
  await expect(editTenant(platform, owner, tenantId, input)).rejects.toMatchObject({ code: "WRONG_STATE" });
  await moveSandboxes(platform, "http://172.17.0.1:4100");
  await moveSandboxes(platform, "http://172.17.0.1:4100");
  const { coreApiUrl } = await readTenant(platform, owner, tenantId);
  expect(coreApiUrl).toBe("http://172.17.0.1:4100/tenants/harbor.sandbox");
  const { rows } = await platform.pool.query("select 1 from audit where action = 'tenant.move'");
  expect(rows).toHaveLength(1);
});

test("the error says that the platform has no core of its own, or that it is unreachable", async () => {
  const owner = await givenMember(platform, "harbor");
  await expect(connectSandbox(bare, owner)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    detail: /PLATFORM_SANDBOX_CORE_URL/,
  });
  const environment = { ...bare.environment, PLATFORM_SANDBOX_CORE_URL: "http://127.0.0.1:9" };
  await expect(connectSandbox({ ...bare, environment }, owner)).rejects.toMatchObject({
    code: "CORE_FAILED",
  });
  expect((await listTenants(platform, owner)).tenants).toEqual([]);
});
