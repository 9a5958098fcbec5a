import { createHash } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, jwtVerify } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { givenMember, givenTenant, testPlatform } from "@/tests/test-platform";
import { connectTenant } from "./connect-tenant";
import { listTenants, readTenant } from "./read-tenants";
import { refreshProducts, testConnection } from "./test-connection";

const platform = await testPlatform();

interface Answer {
  status?: number;
  body?: string;
  location?: string;
  never?: boolean;
}
let answer: Answer = {};
let authorization: string | undefined;
let requests = 0;
let core: Server;
let origin = "";

beforeAll(async () => {
  core = createServer((request, response) => {
    requests += 1;
    authorization = request.headers.authorization;
    if (answer.never === true) return;
    const headers = answer.location === undefined ? {} : { location: answer.location };
    response.writeHead(answer.status ?? 200, headers).end(answer.body ?? listing("Auto"));
  });
  await new Promise<void>((resolve) => core.listen(0, "127.0.0.1", resolve));
  const address = core.address() as AddressInfo;
  origin = `http://127.0.0.1:${address.port}/tenants/x`;
});
afterAll(() => {
  core.closeAllConnections();
  core.close();
});
beforeEach(() => {
  answer = {};
  requests = 0;
});

const text = { type: "string" };
function listing(...names: string[]): string {
  return JSON.stringify({
    products: names.map((name) => ({ name, schema: { type: "object", properties: { vin: text } } })),
  });
}
const input = () => ({ name: "Production", hostName: "harbor.core.example", coreApiUrl: `${origin}/` });

// Guarantee: the core receives a token that verifies, and its products are stored with the tenant.
test("connecting a tenant stores its products", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId, coreCredential, products } = await connectTenant(platform, owner, input());
  expect(products).toEqual(["Auto"]);
  const { payload } = await jwtVerify(
    (authorization ?? "").replace("Bearer ", ""),
    createLocalJWKSet(await platform.services.tokens.readJwks()),
  );
  expect(payload).toMatchObject({
    aud: origin,
    org: "harbor",
    tenant: "harbor.core.example",
    sub: `tenant:${tenantId}`,
  });
  const tenant = await readTenant(platform, owner, tenantId);
  expect(tenant).toMatchObject({ coreApiUrl: origin, products: [{ name: "Auto" }] });
  expect(coreCredential).toMatch(/^pcc_[\w-]{43}$/);
});

// Guarantee: only a hash of the credential is stored.
test("the credential is not in the database", async () => {
  const owner = await givenMember(platform, "harbor");
  const { coreCredential } = await connectTenant(platform, owner, input());
  const { rows } = await platform.pool.query(
    "select t.*, c.hash, a.details from tenants t, core_credentials c, audit a",
  );
  expect(JSON.stringify(rows)).not.toContain(coreCredential);
  expect(JSON.stringify(rows)).toContain(createHash("sha256").update(coreCredential).digest("hex"));
});

const failures: [what: string, answer: Answer, detail: RegExp][] = [
  ["rejects the token", { status: 401 }, /rejected the platform's token/],
  ["redirects", { status: 302, location: "http://127.0.0.1:1/" }, /redirect/],
  ["fails", { status: 500 }, /returned 500/],
  ["sends no JSON", { body: "<html>" }, /did not return JSON/],
  ["sends JSON of another shape", { body: '{"items":[]}' }, /did not return JSON/],
  ["sends a NUL", { body: listing("A\0") }, /did not return JSON/],
  ["lists a product twice", { body: listing("Auto", "Auto") }, /more than once/],
  ["sends more than 1 MiB", { body: listing("A".repeat(90)) + " ".repeat(1024 * 1024) }, /1 MiB/],
];

// Guarantee: a tenant whose core cannot be read is not stored, and the message says how to fix it.
test.each(failures)("a core that %s", async (_what, given, detail) => {
  answer = given;
  const owner = await givenMember(platform, "harbor");
  await expect(connectTenant(platform, owner, input())).rejects.toMatchObject({
    code: "CORE_FAILED",
    detail: expect.stringMatching(detail),
  });
  expect((await listTenants(platform, owner)).tenants).toEqual([]);
  expect(requests).toBe(1);
});

// Guarantee: a core that hangs delays a page by five seconds at most.
test("a core that does not respond", async () => {
  answer = { never: true };
  const owner = await givenMember(platform, "harbor");
  await expect(connectTenant(platform, owner, input())).rejects.toMatchObject({
    code: "CORE_FAILED",
    detail: /within 5 seconds/,
  });
});

// Guarantee: private networks are reachable only if the operator allows it.
test("a core on this machine is refused by default", async () => {
  const closed = { ...platform, environment: { ...platform.environment, PLATFORM_PRIVATE_CORES: false } };
  const owner = await givenMember(platform, "harbor");
  await expect(connectTenant(closed, owner, input())).rejects.toMatchObject({
    code: "CORE_FAILED",
    detail: /does not connect/,
  });
  expect(requests).toBe(0);
});

test("a name is unique in an organization; an address must not contain credentials", async () => {
  const owner = await givenMember(platform, "harbor");
  await connectTenant(platform, owner, input());
  const elsewhere = { ...input(), hostName: "other.core.example" };
  await expect(connectTenant(platform, owner, elsewhere)).rejects.toMatchObject({
    code: "NAME_TAKEN",
    issues: [{ pointer: "/name" }],
  });
  const withUser = { ...input(), coreApiUrl: origin.replace("http://", "http://user:pass@") };
  await expect(connectTenant(platform, owner, withUser)).rejects.toMatchObject({ code: "BAD_INPUT" });
  for (const end of ["?", "#", "?a=1", "/#a"]) {
    const coreApiUrl = `https://core.example/t${end}`;
    await expect(connectTenant(platform, owner, { ...input(), coreApiUrl })).rejects.toMatchObject({
      code: "BAD_INPUT",
      issues: [{ pointer: "/coreApiUrl" }],
    });
  }
});

const taken = { code: "NAME_TAKEN", issues: [{ code: "taken", pointer: "/hostName" }] };

// Guarantee: the platform signs no token that names another organization's tenant, not even to test a connection.
test("a host name of another organization is refused before the core is read", async () => {
  const owner = await givenMember(platform, "harbor");
  const stranger = await givenMember(platform, "alpine");
  await connectTenant(platform, owner, input());
  requests = 0;
  for (const hostName of ["harbor.core.example", "Harbor.Core.example"]) {
    const theirs = { ...input(), hostName };
    await expect(connectTenant(platform, stranger, theirs)).rejects.toMatchObject(taken);
    await expect(testConnection(platform, stranger, theirs)).rejects.toMatchObject(taken);
  }
  expect(requests).toBe(0);
});

// Guarantee: a host name is connected once in an organization, and the refusal names the tenant that has it.
test("a host name that the organization has connected is refused at its field", async () => {
  const owner = await givenMember(platform, "harbor");
  await connectTenant(platform, owner, input());
  const again = { ...input(), name: "Test" };
  for (const attempt of [connectTenant, testConnection])
    await expect(attempt(platform, owner, again)).rejects.toMatchObject({
      ...taken,
      detail: expect.stringContaining("'Production' already uses 'harbor.core.example'"),
    });
});

// Guarantee: if a host name is connected twice at the same time, one succeeds.
test.each([
  ["two organizations", ["harbor", "alpine"]],
  ["one organization", ["harbor", "harbor"]],
])("%s connects one host name twice at the same time", async (_who, slugs) => {
  const members = [];
  for (const slug of slugs) members.push(await givenMember(platform, slug));
  const outcomes = await Promise.allSettled(
    members.map((each, at) => connectTenant(platform, each, { ...input(), name: `Tenant ${at}` })),
  );
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(outcomes.find((outcome) => outcome.status === "rejected")?.reason).toMatchObject(taken);
});

// Guarantee: a refresh replaces the products with the core's; another organization's tenant is not found.
test("refreshing products", async () => {
  const owner = await givenMember(platform, "harbor");
  const { tenantId } = await connectTenant(platform, owner, input());
  answer = { body: listing("Boat", "Home") };
  expect(await refreshProducts(platform, owner, tenantId)).toMatchObject({
    products: ["Boat", "Home"],
  });
  const { products } = await readTenant(platform, owner, tenantId);
  expect(products.map(({ name }) => name)).toEqual(["Boat", "Home"]);
  answer = { status: 500 };
  await expect(refreshProducts(platform, owner, tenantId)).rejects.toMatchObject({ code: "CORE_FAILED" });
  expect((await readTenant(platform, owner, tenantId)).products).toHaveLength(2);
  const stranger = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, stranger);
  await expect(refreshProducts(platform, owner, tenant.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(refreshProducts(platform, owner, "x")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
