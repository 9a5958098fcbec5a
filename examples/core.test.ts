import { type ChildProcess, spawn } from "node:child_process";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const mine = generateKeyPairSync("ed25519");
const foreign = generateKeyPairSync("ed25519");
const received: { authorization: string | undefined; event: unknown }[] = [];

/** The platform's side: public keys, and the place where events arrive. */
const gateway = createServer(async (request, response) => {
  if (request.url === "/.well-known/jwks.json") {
    return response.end(
      JSON.stringify({ keys: [{ ...mine.publicKey.export({ format: "jwk" }), kid: "k1", alg: "EdDSA" }] }),
    );
  }
  received.push({ authorization: request.headers.authorization, event: JSON.parse(await text(request)) });
  return response.writeHead(202).end('{"deliveries":1}');
});

let core: ChildProcess;
let coreUrl = "";
let start: () => Promise<void>;
const folder = await mkdtemp(path.join(tmpdir(), "example-core-"));
const HARBOR = "harbor-mutual.core.example";
const tenantUrl = (hostName = HARBOR) => `${coreUrl}/tenants/${hostName}`;

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

function token(
  claims: object,
  header: object = { alg: "EdDSA", kid: "k1" },
  key: KeyObject = mine.privateKey,
): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

async function read(
  place: string,
  bearer: string,
  hostName?: string,
  more = {},
): Promise<{ status: number; json: unknown }> {
  const headers = { authorization: `Bearer ${bearer}`, ...more };
  const answer = await fetch(`${tenantUrl(hostName)}${place}`, { headers });
  return { status: answer.status, json: await answer.json() };
}

beforeAll(async () => {
  const probe = createServer();
  const port = await portOf(probe);
  probe.close();
  coreUrl = `http://127.0.0.1:${port}`;
  const env = {
    CORE_PORT: String(port),
    CORE_URL: coreUrl,
    CORE_GATEWAY: `http://127.0.0.1:${await portOf(gateway)}`,
    CORE_FILE: path.join(folder, "core.json"),
  };
  start = async () => {
    core = spawn(process.execPath, [path.join(import.meta.dirname, "core/server.mjs")], {
      env,
      stdio: "inherit",
    });
    await vi.waitFor(() => fetch(`${coreUrl}/health`), { timeout: 10_000 });
  };
  await start();
});

afterAll(async () => {
  core.kill("SIGKILL");
  gateway.close();
  await rm(folder, { recursive: true });
});

/** The claims of a good token of the platform. */
const claimsFor = (hostName = HARBOR, org = "harbor-mutual") => ({
  aud: tenantUrl(hostName),
  org,
  tenant: hostName,
  exp: Math.floor(Date.now() / 1000) + 3600,
});

test("a token for the tenant opens its products and policies", async () => {
  const good = token(claimsFor());
  expect((await read("/products", good)).json).toMatchObject({ products: [{ name: "Personal Auto" }] });
  expect((await read("/policies/POL-1001", good)).json).toMatchObject({
    locator: "POL-1001",
    policyHolder: { name: "Maya Lindqvist" },
  });
  expect((await read("/policies/constructor", good)).status).toBe(404);
});

// Guarantee: what is not signed for exactly this tenant, by the platform, and still good, opens nothing.
test("other tokens are rejected", async () => {
  const good = claimsFor();
  const refused = [
    "",
    "x.y.z",
    token({ ...good, exp: 1 }),
    token({ ...good, aud: tenantUrl("alpine-insurance.core.example") }),
    token(good, { alg: "none", kid: "k1" }),
    token(good, { alg: "EdDSA", kid: "k2" }),
    token(good, { alg: "EdDSA", kid: "k1" }, foreign.privateKey),
  ];
  for (const bearer of refused)
    expect([bearer, (await read("/products", bearer)).status]).toEqual([bearer, 401]);
});

// Guarantee: who connects another's core at the platform gets tokens that this core does not take.
test("a token of another tenant or organization is rejected", async () => {
  const refused = [
    { ...claimsFor(), tenant: "thief.core.example", org: "thief" },
    { ...claimsFor(), tenant: "thief.core.example" },
    { ...claimsFor(), org: "thief" },
    { ...claimsFor(), tenant: undefined },
    { ...claimsFor(), org: undefined },
  ];
  for (const claims of refused) expect((await read("/policies/POL-1001", token(claims))).status).toBe(401);
});

// Guarantee: an app does in the core only what its customer agreed to.
test.each([
  ["policies:read", 200],
  ["claims:read policies:read", 200],
  ["claims:read", 403],
  ["policies:write", 403],
  ["", 403],
  [undefined, 200],
])("a token with the scope %j reads a policy: %d", async (scope, status) => {
  expect((await read("/policies/POL-1001", token({ ...claimsFor(), scope }))).status).toBe(status);
});

test("a tenant without an organization accepts tokens of any organization that speaks for it", async () => {
  const hostName = "untold.core.example";
  await fetch(tenantUrl(hostName), { method: "PUT", body: "{}" });
  expect((await read("/products", token(claimsFor(hostName, "any")), hostName)).status).toBe(200);
  expect((await read("/products", token({ ...claimsFor(hostName), tenant: HARBOR }), hostName)).status).toBe(
    401,
  );
});

test("a tenant is created from this machine and sends events with its own credential", async () => {
  const hostName = "new.core.example";
  const put = await fetch(tenantUrl(hostName), {
    method: "PUT",
    body: JSON.stringify({ credential: "pcc_test" }),
  });
  expect(await put.json()).toEqual({ coreApiUrl: tenantUrl(hostName) });
  const sent = await fetch(`${tenantUrl(hostName)}/events`, {
    method: "POST",
    body: JSON.stringify({ type: "policy.issued", data: {} }),
  });
  expect(sent.status).toBe(202);
  expect(received).toMatchObject([{ authorization: "Bearer pcc_test", event: { type: "policy.issued" } }]);
});

test("a tenant with an API key requires it for its products", async () => {
  const hostName = "keyed.core.example";
  await fetch(tenantUrl(hostName), { method: "PUT", body: JSON.stringify({ apiKey: "k-1" }) });
  const good = token(claimsFor(hostName));
  expect((await read("/products", good, hostName)).status).toBe(401);
  expect((await read("/products", good, hostName, { "x-api-key": "k-2" })).status).toBe(401);
  expect((await read("/products", good, hostName, { "x-api-key": "k-1" })).json).toEqual({ products: [] });
  expect((await read("/products", "", hostName, { "x-api-key": "k-1" })).status).toBe(401);
});

// Guarantee: what administration set up is there after a restart.
test("tenants survive a restart of the core", async () => {
  const hostName = "kept.core.example";
  const product = { name: "Boat", schema: {} };
  await fetch(tenantUrl(hostName), { method: "PUT", body: JSON.stringify({ products: [product] }) });
  await fetch(tenantUrl(hostName), { method: "PUT", body: JSON.stringify({ credential: "pcc_kept" }) });
  core.kill("SIGKILL");
  await once(core, "exit");
  await start();
  const good = token(claimsFor(hostName));
  expect((await read("/products", good, hostName)).json).toEqual({ products: [product] });
});
