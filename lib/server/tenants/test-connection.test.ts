import { createServer } from "node:net";
import { expect, test } from "vitest";
import { fakeCore, productsListing } from "@/tests/fake-core";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { connectTenant } from "./connect-tenant";
import { readTenant } from "./read-tenant";
import { testConnection, testTenant } from "./test-connection";

const platform = await testPlatform();
const core = fakeCore();
const input = () => ({ name: "Production", hostName: "harbor.core.example", coreApiUrl: core.coreApiUrl });
const outcomesOf = (steps: { step: string; ok: boolean }[]) =>
  steps.map(({ step, ok }) => `${step} ${ok ? "ok" : "failed"}`);

test("a good connection passes every step and names the products", async () => {
  const owner = await givenMember(platform, "harbor");
  core.answer = { body: productsListing("Auto", "Home") };
  const result = await testConnection(platform, owner, input());
  expect(result).toMatchObject({ ok: true, products: ["Auto", "Home"] });
  expect(outcomesOf(result.steps)).toEqual(["address ok", "connect ok", "sign-in ok", "products ok"]);
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
  expect(Date.now() - Date.parse(result.testedAt)).toBeLessThan(10_000);
});

const faults: [what: string, answer: typeof core.answer, outcomes: string[], words: RegExp][] = [
  ["refuses the token", { status: 401 }, ["address ok", "connect ok", "sign-in failed"], /token \(401\)/],
  [
    "redirects",
    { status: 302, location: "/" },
    ["address ok", "connect ok", "sign-in ok", "products failed"],
    /redirect/,
  ],
  ["breaks", { status: 500 }, ["address ok", "connect ok", "sign-in ok", "products failed"], /answered 500/],
  [
    "answers no JSON",
    { body: "<html>" },
    ["address ok", "connect ok", "sign-in ok", "products failed"],
    /did not answer/,
  ],
  ["hangs", { never: true }, ["address ok", "connect failed"], /within 5 s/],
];

// Guarantee: a fault of the core is an answer with the step at which it shows, never an error, and nothing is stored.
test.each(faults)("a core that %s", async (_what, answer, outcomes, words) => {
  core.answer = answer;
  const owner = await givenMember(platform, "harbor");
  const result = await testConnection(platform, owner, input());
  expect(result).toMatchObject({ ok: false, products: [] });
  expect(outcomesOf(result.steps)).toEqual(outcomes);
  expect(result.steps.at(-1)?.detail).toMatch(words);
  const { rows } = await platform.pool.query("select 1 from tenants union all select 1 from audit");
  expect(rows).toEqual([]);
});

test("a host that is not there, and a port that nothing listens at", async () => {
  const owner = await givenMember(platform, "harbor");
  const nowhere = await testConnection(platform, owner, { ...input(), coreApiUrl: "https://core.invalid" });
  expect(outcomesOf(nowhere.steps)).toEqual(["address failed"]);
  const closed = { ...input(), coreApiUrl: `http://127.0.0.1:${await closedPort()}` };
  const silent = await testConnection(platform, owner, closed);
  expect(outcomesOf(silent.steps)).toEqual(["address ok", "connect failed"]);
  expect(silent.steps.at(-1)?.detail).toMatch(/Nothing listens/);
});

// Guarantee: a test reaches nothing that a tenant could not be connected to.
test.each([
  "http://169.254.169.254",
  "http://[::ffff:169.254.169.254]",
  "http://0.0.0.0",
  "http://[fe80::1]",
])("%s is refused at its first step", async (coreApiUrl) => {
  const owner = await givenMember(platform, "harbor");
  const result = await testConnection(platform, owner, { ...input(), coreApiUrl });
  expect(outcomesOf(result.steps)).toEqual(["address failed"]);
  expect(result.steps[0]?.detail).toMatch(/does not connect/);
});

test("without private cores this machine is refused", async () => {
  const environment = { ...platform.environment, PLATFORM_PRIVATE_CORES: false };
  const owner = await givenMember(platform, "harbor");
  const result = await testConnection({ ...platform, environment }, owner, input());
  expect(outcomesOf(result.steps)).toEqual(["address failed"]);
  expect(core.seen).toEqual([]);
});

// Guarantee: the page of a tenant shows the last test, good or bad, and each test is in the audit trail.
test("a saved tenant's test is kept with it", async () => {
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

test("another organization's tenant does not exist", async () => {
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
