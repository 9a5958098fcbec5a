import { Agent, get, request as httpRequest, type Server } from "node:http";
import { v7 } from "uuid";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { sealStateKey } from "@/lib/server/platform/state-key";
import { ROUTES } from "@/lib/server/surface/api/all-routes";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import {
  givenCredential,
  givenInstallation,
  givenInstalledApp,
  givenListing,
  givenMember,
  givenTenant,
  testPlatform,
} from "@/tests/test-platform";
import { createGateway } from "./serve";

const platform = await testPlatform();
const CREDENTIAL = "pcc_test-credential-of-a-core";
let server: Server;
let base: string;

beforeEach(async () => {
  base = await listen(createGateway(platform));
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

function listen(started: Server): Promise<string> {
  server = started;
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : "");
    });
  });
}

async function givenRunning() {
  const { version, tenant, installation, route } = await givenInstalledApp(platform);
  await givenCredential(platform, tenant.id, CREDENTIAL);
  const routeId = route("autofill").id;
  const ids = { installationId: installation.id, routeId, attemptId: v7(), revision: 1, epoch: 0 };
  return {
    key: sealStateKey(platform.keyring, { ...ids, expiresAt: new Date(Date.now() + 60_000) }),
    routeId,
    version,
  };
}

// Guarantee: TRACE, which echoes a request with its credentials, is refused on every route.
test("TRACE is refused on every route", async () => {
  const { hostname, port } = new URL(base);
  for (const { name: route } of ROUTES) {
    const path = (route.split(" ")[1] ?? "").replaceAll(/<\w+(\.\.\.)?>/g, "x");
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path, method: "TRACE", agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once("error", reject).end();
    });
    // Of an unknown installation's endpoints, nothing is told; those of a known one answer 405.
    expect(status, route).toBe(route.startsWith("ANY ") ? 404 : 405);
  }
});

/** Sends the path unchanged; `fetch` would normalize it. */
function rawGet(path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    httpRequest({ hostname, port, path }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on("error", reject)
      .end();
  });
}

// Guarantee: the state API accepts both forms of the path, and is never cached or shared across origins.
test("a key returns its state, whether or not the path starts with a doubled slash", async () => {
  const { key } = await givenRunning();
  const answer = await fetch(`${base}/state/${key}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(Object.keys(await answer.json()).sort()).toEqual([
    "coreApiUrl",
    "mappings",
    "settings",
    "tenantHostName",
    "token",
  ]);
  expect((await rawGet(`//state/${key}`)).status).toBe(200);
});

// Guarantee: unknown, malformed, encoded, and oversized keys get the same body and status.
test("all invalid keys look the same", async () => {
  const answers = await Promise.all(
    ["/state/x", "/state/psk_x", "/state/..%2F..%2Fetc", "/state/%00", `/state/${"A".repeat(8000)}`].map(
      (path) => rawGet(path),
    ),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.body}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(404);
  expect((await rawGet(`/state/${"A".repeat(1_000_000)}`)).status).toBe(431);
});

test("a credential of a megabyte is refused before it is looked up", async () => {
  await givenRunning();
  for (const scheme of ["Bearer", "Basic"]) {
    const ask = (bytes: number) =>
      fetch(`${base}/publish/v1/whoami`, { headers: { authorization: `${scheme} ${"A".repeat(bytes)}` } });
    expect((await ask(8_000)).status).toBe(401);
    // Node answers, and closes the connection while the rest arrives.
    expect(
      await ask(1_000_000).then(
        ({ status }) => status,
        () => 431,
      ),
    ).toBe(431);
  }
});

test("an encoded slash names no other app", async () => {
  const member = await givenMember(platform, "acme");
  await givenListing(platform, member);
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  const authorization = `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
  for (const name of [
    "acme%2Fvin-lookup/x",
    "acme/x%2F..%2Fvin-lookup",
    "acme%2F../vin-lookup",
    "acme/%2e%2e",
  ]) {
    const answer = await fetch(`${base}/publish/v1/apps/${name}/manifest`, { headers: { authorization } });
    expect(answer.status, name).toBeGreaterThanOrEqual(400);
    expect(answer.status, name).toBeLessThan(500);
  }
});

// Guarantee: another tenant's route is the same 404 as an unknown route.
test("a foreign and an unknown routeId look the same to a core", async () => {
  await givenRunning();
  const other = await givenMember(platform, "alpine");
  const { tenant } = await givenTenant(platform, other);
  const { routeId } = await givenRoute(tenant.id, other);
  const answers = await Promise.all([routeId, v7(), "not-an-id"].map((id) => callAs(id)));
  expect(
    new Set(await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`))).size,
  ).toBe(1);
  expect(answers[0]?.status).toBe(404);

  function callAs(id: string): Promise<Response> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` };
    return fetch(`${base}/r/${id}`, { method: "POST", headers, body: "{}" });
  }
});

// Guarantee: the app gets what the core sent, also a member that JavaScript would take for something else.
test("a payload reaches the app with every member", async () => {
  const { routeId, version } = await givenRunning();
  const { app } = await givenInstance(platform, version.id, (response) => void response.end("{}"));
  const body = '{"operation":"newBusiness.create","__proto__":{"a":1},"constructor":"Acme Builders"}';
  const headers = { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` };
  expect((await fetch(`${base}/r/${routeId}`, { method: "POST", headers, body })).status).toBe(200);
  expect(app.received[0]?.body).toBe(body);
});

async function givenRoute(tenantId: string, customer: Awaited<ReturnType<typeof givenMember>>) {
  const publisher = await givenMember(platform, "acme");
  const { version } = await givenListing(platform, publisher, {
    state: "PUBLIC",
    verified: true,
    appName: "other",
  });
  const { route } = await givenInstallation(platform, customer, version, tenantId);
  return { routeId: route("autofill").id };
}

// Guarantee: an event is stored before the response, and only once per id.
test("an event is stored once", async () => {
  await givenRunning();
  const event = {
    id: "evt-1",
    type: "policy.issued",
    timestamp: new Date().toISOString(),
    data: { policy: "POL-1" },
  };
  const send = () =>
    fetch(`${base}/core/v1/events`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` },
      body: JSON.stringify(event),
    });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status]).toEqual([202, 202]);
  const { rows } = await platform.pool.query(
    "select (select count(*) from events)::int as events, (select count(*) from deliveries)::int as deliveries",
  );
  expect(rows).toEqual([{ events: 1, deliveries: 1 }]);
});

// Guarantee: apps get an event as the core sent it: numbers, order, unknown members and layout included.
test.each([
  ["a numeric timestamp", '"timestamp":1767225600000'],
  ["an ISO 8601 timestamp with an offset", '"timestamp":"2026-01-01T01:00:00.123456+01:00"'],
  ["a byte order mark before it", '"timestamp":1767225600000', "\uFEFF"],
])("an event with %s reaches the app unchanged", async (_what, timestamp, mark = "") => {
  const { version } = await givenRunning();
  const { app } = await givenInstance(platform, version.id, (response) => void response.writeHead(204).end());
  const body = `${mark}{ "zeta":1, "id":"evt-1","type":"policy.issued",${timestamp},
    "username":null, "sum":12345678901234567890.10, "data":{"2":0,"1":"\\u0000 \\ud800"}, "links":[{"rel":"self"}] }`;
  const answer = await fetch(`${base}/core/v1/events`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` },
    body,
  });
  expect(answer.status).toBe(202);
  await sendDueDeliveries(platform);
  expect(app.received.map((received) => received.body)).toEqual([body]);
});

/** As text, because JSON.stringify does not produce it. */
function eventWith(data: string): string {
  const event = { id: "evt-1", type: "policy.issued", timestamp: new Date().toISOString() };
  return JSON.stringify(event).replace(/}$/, `,"data":${data}}`);
}

test.each([
  ["text/plain JSON", { "content-type": "text/plain" }, "{}", 415],
  ["broken JSON", { "content-type": "application/json" }, "{", 400],
  [
    "JSON of 20,000 levels",
    { "content-type": "application/json" },
    '{"data":' + "[".repeat(20_000) + "]".repeat(20_000) + "}",
    400,
  ],
  [
    "an event whose id has a NUL",
    { "content-type": "application/json" },
    eventWith("0").replace("evt-1", String.raw`\u0000`),
    400,
  ],
  [
    "an event of yesterday",
    { "content-type": "application/json" },
    eventWith("0").replace(/"timestamp":"[^"]*"/, '"timestamp":"yesterday"'),
    400,
  ],
  [
    "a negative timestamp",
    { "content-type": "application/json" },
    eventWith("0").replace(/"timestamp":"[^"]*"/, '"timestamp":-1'),
    400,
  ],
  ["an event without an id", { "content-type": "application/json" }, "{}", 400],
  ["more than 1 MiB", { "content-type": "application/json" }, `"${"x".repeat(1_100_000)}"`, 413],
])("%s is refused", async (_what, headers, body, status) => {
  await givenRunning();
  const answer = await fetch(`${base}/core/v1/events`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${CREDENTIAL}` },
    body,
  });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
});

test("a wrong method names the right one", async () => {
  const answer = await fetch(`${base}/core/v1/events`);
  expect(answer.status).toBe(405);
  expect(await answer.json()).toMatchObject({
    type: `${platform.environment.PLATFORM_WEB_URL}/docs/errors/WRONG_METHOD`,
    detail: "Use POST here.",
  });
});

// Guarantee (part of P8): the listener for containers serves only the state.
test("the listener for apps has no other route", async () => {
  await new Promise((resolve) => server.close(resolve));
  base = await listen(createGateway(platform, (route) => route === "GET /state/<key>"));
  const { key } = await givenRunning();
  expect((await fetch(`${base}/state/${key}`)).status).toBe(200);
  for (const path of ["/core/v1/events", "/publish/v1/whoami", "/.well-known/jwks.json", `/r/${v7()}`]) {
    expect((await fetch(base + path)).status).toBe(404);
  }
});

// Guarantee: the published keys have no private part.
test("the JWKS contains only public keys", async () => {
  const { keys } = await fetch(`${base}/.well-known/jwks.json`).then((answer) => answer.json());
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
});

// Guarantee: an API key can read and write only its organization's drafts, invalid ones included.
test("an API key pulls and pushes a manifest draft", async () => {
  const member = await givenMember(platform, "acme");
  const { listing, version } = await givenListing(platform, member);
  await givenListing(platform, await givenMember(platform, "harbor"), { appName: "other" });
  const { clientId, apiKey } = await createApiKey(platform, member, "CI");
  const authorization = `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
  const ask = (name: string, body?: unknown) =>
    fetch(`${base}/publish/v1/apps/${name}/manifest`, {
      method: body === undefined ? "GET" : "PUT",
      headers: { authorization, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const nothing = { revision: 0, updatedAt: null, updatedBy: null, source: "version" };
  expect(await (await ask("acme/vin-lookup")).json()).toMatchObject({
    name: "acme/vin-lookup",
    text: version.manifestText,
    ...nothing,
  });
  const pushed = await ask("acme/vin-lookup", { text: "{", revision: 0 });
  expect(await pushed.json()).toMatchObject({ revision: 1, issues: [{ line: 1, column: 2 }] });
  expect(await (await ask("acme/vin-lookup")).json()).toMatchObject({
    text: "{",
    revision: 1,
    updatedBy: "API key CI",
    source: "draft",
  });
  for (const [name, body, status] of [
    ["acme/vin-lookup", { text: "late", revision: 0 }, 409],
    ["acme/vin-lookup", { text: "x".repeat(1024 * 1024 + 1), revision: 1 }, 400],
    ["acme/vin-lookup", { text: "x".repeat(7 * 1024 * 1024), revision: 1 }, 413],
    ["acme/vin-lookup", { text: "x" }, 400],
    ["acme/absent", undefined, 404],
    ["harbor/other", undefined, 400],
    ["harbor/other", { text: "x", revision: null }, 400],
  ] as const) {
    expect((await ask(name, body)).status, `${name} ${JSON.stringify(body)?.slice(0, 40)}`).toBe(status);
  }
  const { rows } = await platform.pool.query("select listing_id from manifest_drafts");
  expect(rows).toEqual([{ listing_id: listing.id }]);
});

// Guarantee: the core's bytes reach the app unchanged, or the core learns which of them is not text.
test.each(["/core/v1/events", "/r/"])(
  "a body that is not UTF-8 is refused with the offset at %s",
  async (path) => {
    const { routeId } = await givenRunning();
    const body = Buffer.from('{"type":"policy.issued","data":"Jos\xe9"}', "latin1");
    const answer = await fetch(`${base}${path}${path === "/r/" ? routeId : ""}`, {
      method: "POST",
      headers: { authorization: `Bearer ${CREDENTIAL}`, "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "BAD_INPUT",
      detail: expect.stringContaining(`the byte 0xE9 at offset ${body.indexOf(0xe9)}`),
    });
  },
);

// Guarantee: the same, in both directions.
test("a byte order mark before a payload and before its answer passes unchanged", async () => {
  const { version, routeId } = await givenRunning();
  const [sent, answered] = ['\uFEFF{"operation": "newBusiness.create"}', '\uFEFF{"n": 1.10}'];
  const { app } = await givenInstance(platform, version.id, (response) => void response.end(answered));
  const answer = await fetch(`${base}/r/${routeId}`, {
    method: "POST",
    headers: { authorization: `Bearer ${CREDENTIAL}`, "content-type": "application/json" },
    body: sent,
  });
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(answered));
  expect(app.received.map(({ body }) => body)).toEqual([sent]);
});

// Guarantee: behind a proxy, apps still can't choose whose share of the state listener they use: no proxy is in front of that.
test("on a listener without a proxy, X-Forwarded-For counts for nothing", async () => {
  await new Promise((resolve) => server.close(resolve));
  const share = { total: 4, each: 1 };
  const environment = {
    ...platform.environment,
    PLATFORM_BEHIND_PROXY: true,
    PLATFORM_SHARE_CONNECTIONS: share,
  };
  const seen: unknown[] = [];
  for (const isDirect of [true, false]) {
    const gateway = createGateway({ ...platform, environment }, undefined, undefined, isDirect);
    gateway.on("request", ({ headers }) => seen.push(headers["x-forwarded-for"]));
    base = await listen(gateway);
    const ask = (agent: Agent) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { "x-forwarded-for": "203.0.113.9" };
        const request = get(`${base}/health`, { agent, headers }, (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode));
        });
        request.on("error", reject);
      });
    const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
    const statuses = [];
    for (const agent of agents) statuses.push(await ask(agent));
    // Each address has one connection, unless they all are the proxy's.
    expect(statuses).toEqual([200, isDirect ? 429 : 200]);
    for (const agent of agents) agent.destroy();
  }
  expect(seen).toEqual([undefined, undefined, "203.0.113.9", "203.0.113.9"]);
});

// Guarantee: no answer is taken for another type, and browsers that came by HTTPS stay there.
test("all answers say nosniff, and HSTS when the gateway has an https address", async () => {
  const plain = await fetch(`${base}/no-such-route`);
  expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
  expect(plain.headers.get("strict-transport-security")).toBeNull();
  server.close();
  const environment = { ...platform.environment, PLATFORM_GATEWAY_URL: "https://gateway.example" };
  base = await listen(createGateway({ ...platform, environment }));
  const secure = await fetch(`${base}/health`);
  expect(secure.headers.get("x-content-type-options")).toBe("nosniff");
  expect(secure.headers.get("strict-transport-security")).toBe("max-age=31536000");
});
