import { createServer } from "node:net";
import { expect, test } from "vitest";
import { isolationChecks } from "@/drizzle/schema/runtime";
import { fakeCore, productsListing } from "@/tests/fake-core";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { connectTenant } from "./connect-tenant";
import { readTenant } from "./read-tenants";
import { testConnection, testTenant } from "./test-connection";

const platform = await testPlatform();
const core = fakeCore();
const input = () => ({ name: "Production", hostName: "harbor.core.example", coreApiUrl: core.coreApiUrl });
const summarize = (steps: { step: string; ok: boolean }[]) =>
  steps.map(({ step, ok }) => `${step} ${ok ? "ok" : "failed"}`);

test("a working connection passes every step and lists the products", async () => {
  const owner = await givenMember(platform, "harbor");
  core.answer = { body: productsListing("Auto", "Home") };
  const result = await testConnection(platform, owner, input());
  expect(result).toMatchObject({ ok: true, products: ["Auto", "Home"] });
  expect(summarize(result.steps)).toEqual(["address ok", "connect ok", "sign-in ok", "products ok"]);
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
  expect(Date.now() - Date.parse(result.testedAt)).toBeLessThan(10_000);
});

test("a byte order mark before the list is not a fault, and names keep every character", async () => {
  const owner = await givenMember(platform, "harbor");
  core.answer = { body: `\uFEFF${productsListing("Ménage 🏠")}` };
  expect(await testConnection(platform, owner, input())).toMatchObject({
    ok: true,
    products: ["Ménage 🏠"],
  });
});

const failures: [what: string, answer: typeof core.answer, outcomes: string[], detail: RegExp][] = [
  ["rejects the token", { status: 401 }, ["address ok", "connect ok", "sign-in failed"], /token \(401\)/],
  [
    "redirects",
    { status: 302, location: "/" },
    ["address ok", "connect ok", "sign-in ok", "products failed"],
    /redirect/,
  ],
  ["fails", { status: 500 }, ["address ok", "connect ok", "sign-in ok", "products failed"], /returned 500/],
  [
    "sends no JSON",
    { body: "<html>" },
    ["address ok", "connect ok", "sign-in ok", "products failed"],
    /did not return JSON/,
  ],
  [
    "sends Latin-1",
    { body: Buffer.from(productsListing("Ménage"), "latin1") },
    ["address ok", "connect ok", "sign-in ok", "products failed"],
    /The response from http:\S+\/products is not valid UTF-8: the byte 0xE9 at offset 23 /,
  ],
  [
    "cuts a character",
    { body: Buffer.from('{"products":[]}€').subarray(0, 17) },
    ["address ok", "connect ok", "sign-in ok", "products failed"],
    /at offset 15 /,
  ],
  ["hangs", { never: true }, ["address ok", "connect failed"], /within 5 seconds/],
];

// Guarantee: if the core fails, the result names the failed step; nothing is thrown and nothing is stored.
test.each(failures)("a core that %s", async (_what, answer, outcomes, detail) => {
  core.answer = answer;
  const owner = await givenMember(platform, "harbor");
  const result = await testConnection(platform, owner, input());
  expect(result).toMatchObject({ ok: false, products: [] });
  expect(summarize(result.steps)).toEqual(outcomes);
  expect(result.steps.at(-1)?.detail).toMatch(detail);
  const { rows } = await platform.pool.query("select 1 from tenants union all select 1 from audit");
  expect(rows).toEqual([]);
});

test("an unknown host and a closed port", async () => {
  const owner = await givenMember(platform, "harbor");
  const nowhere = await testConnection(platform, owner, { ...input(), coreApiUrl: "https://core.invalid" });
  expect(summarize(nowhere.steps)).toEqual(["address failed"]);
  const closed = { ...input(), coreApiUrl: `http://127.0.0.1:${await closedPort()}` };
  const silent = await testConnection(platform, owner, closed);
  expect(summarize(silent.steps)).toEqual(["address ok", "connect failed"]);
  expect(silent.steps.at(-1)?.detail).toMatch(/refused the connection/);
});

// Guarantee: a test reaches only addresses that a tenant could be connected to.
test.each([
  "http://169.254.169.254",
  "http://[::ffff:169.254.169.254]",
  "http://0.0.0.0",
  "http://[fe80::1]",
])("%s fails at the first step", async (coreApiUrl) => {
  const owner = await givenMember(platform, "harbor");
  const result = await testConnection(platform, owner, { ...input(), coreApiUrl });
  expect(summarize(result.steps)).toEqual(["address failed"]);
  expect(result.steps[0]?.detail).toMatch(/does not connect/);
});

test("this machine is refused if private cores are not allowed", async () => {
  const environment = { ...platform.environment, PLATFORM_PRIVATE_CORES: false };
  const owner = await givenMember(platform, "harbor");
  const result = await testConnection({ ...platform, environment }, owner, input());
  expect(summarize(result.steps)).toEqual(["address failed"]);
  expect(core.seen).toEqual([]);
});

// Guarantee: a tenant's page shows its last test, successful or not, and the audit trail records each test.
test("the test of a connected tenant is stored", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectTenant(platform, owner, input());
  expect((await readTenant(platform, owner, tenantId)).connection).toMatchObject({ ok: true });
  core.answer = { status: 503 };
  const result = await testTenant(platform, owner, tenantId);
  expect(result).toMatchObject({ ok: false });
  expect((await readTenant(platform, owner, tenantId)).connection).toEqual(result);
  const { rows } = await platform.pool.query(
    "select details from audit where action = 'tenant.test-connection'",
  );
  expect(rows).toEqual([{ details: { ok: false, step: "products" } }]);
});

// Guarantee: who enters an address that only the platform reaches is told at once what to enter instead.
test("a core on the loopback is said to be out of reach for apps in containers, and only for those", async () => {
  const owner = await givenMember(platform, "harbor");
  const environment = { ...platform.environment, PLATFORM_STATE_API_CONTAINER: "http://172.17.0.1:4001" };
  const here = { ...platform, environment };
  expect(await testConnection(here, owner, input())).not.toHaveProperty("appsProblem");
  await platform.db.insert(isolationChecks).values({ egress: { way: "none", why: "No engine." } });
  expect(await testConnection(here, owner, input())).not.toHaveProperty("appsProblem");
  await platform.db.update(isolationChecks).set({ egress: { way: "guard" } });
  const { tenantId, appsProblem } = await connectTenant(here, owner, input());
  const { port, pathname } = new URL(core.coreApiUrl);
  const instead = `enter http://172.17.0.1:${port}${pathname}`.replace(/\/$/, "");
  expect(appsProblem).toContain(instead);
  expect(await testTenant(here, owner, tenantId)).toMatchObject({ ok: true, appsProblem });
  expect((await readTenant(here, owner, tenantId)).connection).toMatchObject({ appsProblem });
  core.answer = { status: 503 };
  expect(await testTenant(here, owner, tenantId)).not.toHaveProperty("appsProblem");
});

test("another organization's tenant is not found", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenant } = await givenTenant(platform, await givenMember(platform, "alpine"));
  for (const id of [tenant.id, "x"]) {
    await expect(testTenant(platform, owner, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(readTenant(platform, owner, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === "object" ? address.port : 0;
}
