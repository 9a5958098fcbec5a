import { request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { attempts } from "@/drizzle/schema/deliveries";
import { installations, routes } from "@/drizzle/schema/installations";
import type { Endpoint } from "@/lib/contract/manifest";
import { declaredRoutes } from "@/lib/server/installations/declared-routes";
import { upsertRoutes } from "@/lib/server/installations/queries";
import { openStateKey } from "@/lib/server/keys/state-key";
import { readState } from "@/lib/server/state/read-state";
import { givenInstance, type Respond } from "@/tests/fake-app";
import {
  givenCredential,
  givenInstallation,
  givenListing,
  givenMember,
  givenTenant,
  one,
  SAMPLE_MANIFEST,
  testPlatform,
} from "@/tests/test-platform";
import { createGateway } from "./serve";

const platform = await testPlatform();
const CREDENTIAL = "pcc_test-credential-of-a-core";
const FOREIGN = "pcc_test-credential-of-another";

const ENDPOINTS: Endpoint[] = [
  { path: "/settings", methods: ["GET"], access: "public", title: "Settings page" },
  { path: "/callbacks/*", methods: ["GET", "POST", "PUT", "DELETE"], access: "public", title: "Callbacks" },
  { path: "/callbacks/admin", methods: ["POST"], access: "core", title: "Administration" },
  { path: "/report", methods: ["GET"], access: "core", title: "Report" },
];

let server: Server;
let world: Awaited<ReturnType<typeof givenWorld>>;

beforeEach(async () => {
  world = await givenWorld();
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function givenWorld() {
  const publisher = await givenMember(platform, "acme");
  const customer = await givenMember(platform, "harbor");
  const manifest = { ...SAMPLE_MANIFEST, core: { ...SAMPLE_MANIFEST.core, endpoints: ENDPOINTS } };
  const { version } = await givenListing(platform, publisher, { state: "PUBLIC", verified: true, manifest });
  const { tenant } = await givenTenant(platform, customer);
  const { tenant: foreign } = await givenTenant(platform, await givenMember(platform, "alpine"));
  for (const [credential, { id }] of [
    [CREDENTIAL, tenant],
    [FOREIGN, foreign],
  ] as const) {
    await givenCredential(platform, id, credential);
  }
  const { installation } = await givenInstallation(platform, customer, version, tenant.id);
  await upsertRoutes(platform.db, installation.id, declaredRoutes(manifest, true));
  return { version, installation, base: `/r/${installation.routeBase}` };
}

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

interface Answered {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Sends the path unchanged; `fetch` would normalize it. */
function send({ method = "GET", path, headers = {}, body }: Sent): Promise<Answered> {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return new Promise((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      text(response).then((whole) => resolve({ status, headers: answered, body: whole }), reject);
    })
      .on("error", reject)
      .end(body);
  });
}

/** A promise, and the function that fulfills it. */
function givenSignal() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((fulfill) => (resolve = fulfill));
  return { promise, resolve: () => resolve() };
}

const codeOf = ({ body }: Answered): unknown => JSON.parse(body).code;
const html: Respond = (response) =>
  void response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=1" }).end("<h1>Settings</h1>");
const theAttempt = async () => one(await platform.db.select().from(attempts));

// Guarantee: a browser without any credential reaches a public endpoint; the app gets a key that opens this call's state.
test("a public page is served sandboxed, without cookies either way, and recorded without bodies", async () => {
  let state: unknown;
  const { app } = await givenInstance(platform, world.version.id, async (response, received) => {
    state = await readState(platform, String(received.headers["x-platform-key"]));
    await html(response, received);
  });
  const headers = {
    cookie: "session=1",
    authorization: "Bearer of somebody",
    "x-platform-key": "psk_forged",
    accept: "text/html",
  };
  const answer = await send({ path: `${world.base}/settings?tab=1&q=a%20b`, headers });
  expect(answer).toMatchObject({ status: 200, body: "<h1>Settings</h1>" });
  expect(answer.headers).toMatchObject({
    "content-type": "text/html",
    "content-security-policy": "sandbox allow-forms allow-scripts; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers).not.toHaveProperty("set-cookie");
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");

  const received = one(app.received);
  expect(received).toMatchObject({ method: "GET", url: "/settings?tab=1&q=a%20b" });
  expect(received.headers).toMatchObject({ accept: "text/html", "accept-encoding": "identity" });
  expect(received.headers).not.toHaveProperty("cookie");
  expect(received.headers).not.toHaveProperty("authorization");
  const attempt = await theAttempt();
  const opened = openStateKey(platform.keyring, String(received.headers["x-platform-key"]));
  expect(opened).toMatchObject({ installationId: world.installation.id, attemptId: attempt.id });
  expect(state).toMatchObject({ settings: { region: "eu" } });
  expect(attempt).toMatchObject({
    kind: "endpoint",
    target: "GET /settings",
    status: 200,
    payload: null,
    answer: null,
    answerBytes: 17,
    failure: null,
  });
});

// Guarantee: any declared method reaches the app with its body and the headers that third parties sign.
test("a callback is passed on with its body, and its declared path is recorded", async () => {
  const { app } = await givenInstance(platform, world.version.id, (r) => void r.writeHead(201).end("ok"));
  const headers = { "content-type": "text/xml", "stripe-signature": "t=1" };
  const path = `${world.base}/callbacks/stripe/s3cret?code=s3cret`;
  expect(await send({ method: "PUT", path, headers, body: "<x/>" })).toMatchObject({
    status: 201,
    body: "ok",
  });
  expect(one(app.received)).toMatchObject({
    method: "PUT",
    url: "/callbacks/stripe/s3cret?code=s3cret",
    body: "<x/>",
    headers: { ...headers, "content-length": "4" },
  });
  expect(await theAttempt()).toMatchObject({ target: "PUT /callbacks/*" });
  expect(await send({ method: "HEAD", path })).toMatchObject({ status: 201, body: "" });
});

// Guarantee: bytes pass as they come, in both directions.
test("request and answer are streamed", async () => {
  const first = givenSignal();
  const release = givenSignal();
  await givenInstance(platform, world.version.id, async (response) => {
    response.writeHead(200);
    response.write("first ");
    await release.promise;
    response.end("second");
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  let body = "";
  const done = new Promise<void>((resolve, reject) => {
    httpRequest({ host: "127.0.0.1", port, path: `${world.base}/settings`, agent: false }, (response) => {
      response.on("data", (chunk: Buffer) => {
        body += chunk.toString();
        first.resolve();
      });
      response.on("end", resolve).on("error", reject);
    }).end();
  });
  await first.promise;
  expect(body).toBe("first ");
  release.resolve();
  await done;
  expect(body).toBe("first second");
});

// Guarantee: who may call is decided by the declaration alone, and a caller cannot tell why there is nothing.
test("a core endpoint needs its tenant's credential, which the app does not get", async () => {
  const { app } = await givenInstance(platform, world.version.id, html);
  const path = `${world.base}/report`;
  const as = (credential: string) => ({ path, headers: { authorization: `Bearer ${credential}` } });
  expect((await send({ path })).status).toBe(401);
  expect((await send(as("pcc_nonsense-nonsense-nonsense"))).status).toBe(401);
  expect(codeOf(await send(as(FOREIGN)))).toBe("NOT_FOUND");
  expect(await send(as(CREDENTIAL))).toMatchObject({ status: 200 });
  expect(one(app.received).headers).not.toHaveProperty("authorization");
});

test("a public wildcard does not open the core endpoint below it", async () => {
  const { app } = await givenInstance(platform, world.version.id, html);
  const path = `${world.base}/callbacks/admin`;
  expect((await send({ method: "POST", path })).status).toBe(401);
  expect((await send({ method: "GET", path })).status).toBe(401);
  expect(app.received).toEqual([]);
});

test.each<[string, () => Promise<unknown>]>([
  ["stopped", () => platform.db.update(installations).set({ state: "STOPPED" })],
  ["failed", () => platform.db.update(installations).set({ state: "ERROR" })],
  ["closed", () => platform.db.update(routes).set({ openedAt: null })],
  ["removed", () => platform.db.update(routes).set({ removedAt: new Date() })],
  ["re-keyed", () => platform.db.update(installations).set({ routeBase: v7() })],
])("a %s endpoint looks like one that never was", async (_what, change) => {
  const { app } = await givenInstance(platform, world.version.id, html);
  await change();
  const answer = await send({ path: `${world.base}/settings` });
  const absent = await send({ path: `/r/${v7()}/settings` });
  expect(answer.status).toBe(404);
  expect(answer.body).toBe(absent.body);
  expect(app.received).toEqual([]);
});

// Guarantee: nothing that is not declared reaches the app, however it is written.
test.each([
  ["GET", "/unknown", 404],
  ["GET", "/autofill", 404],
  ["POST", "/events", 404],
  ["GET", "/health", 404],
  ["GET", "/_app/uninstall", 404],
  ["GET", "/callbacks", 404],
  ["GET", "/", 400],
  ["GET", "/callbacks/", 400],
  ["GET", "//settings", 400],
  ["GET", "/callbacks//x", 400],
  ["GET", "/callbacks/../health", 400],
  ["GET", "/callbacks/%2e%2e/health", 400],
  ["GET", "/callbacks/..%2fhealth", 400],
  ["GET", "/callbacks/..;/health", 400],
  ["GET", "/callbacks/%5c..%5chealth", 400],
  ["GET", "/callbacks/%252e%252e/health", 400],
  ["GET", "/callbacks/\\health", 400],
  ["GET", "/settings%00", 400],
  ["POST", "/settings", 405],
  ["OPTIONS", "/settings", 405],
  ["TRACE", "/settings", 405],
  ["PATCH", "/callbacks/x", 405],
])("%s %s is refused with %i", async (method, path, status) => {
  const { app } = await givenInstance(platform, world.version.id, html);
  const answer = await send({ method, path: world.base + path });
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(app.received).toEqual([]);
  expect(await platform.db.select().from(attempts)).toEqual([]);
});

test("a malformed route base looks absent", async () => {
  for (const base of ["x", "'", "..", world.installation.id, "%00"]) {
    expect((await send({ path: `/r/${base}/settings` })).status, base).toBe(404);
  }
});

describe("hostile answers", () => {
  const big = Buffer.alloc(700 * 1024, "x");
  test.each<[string, Respond, number, RegExp]>([
    [
      "a redirect elsewhere",
      (r) => void r.writeHead(302, { location: "https://evil.example/" }).end(),
      502,
      /redirect/,
    ],
    ["a permanent redirect", (r) => void r.writeHead(301, { location: "/settings" }).end(), 502, /redirect/],
    [
      "a compressed answer",
      (r) => void r.writeHead(200, { "content-encoding": "gzip" }).end(big),
      502,
      /compressed/,
    ],
    ["huge headers", (r) => void r.writeHead(200, { etag: "h".repeat(20_000) }).end(), 502, /16 KiB/],
    ["a broken connection", (r) => void r.destroy(), 502, /closed the connection/],
  ])("%s is not passed on", async (_name, respond, status, failure) => {
    await givenInstance(platform, world.version.id, respond);
    const answer = await send({ path: `${world.base}/settings` });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body).detail).toMatch(failure);
    expect((await theAttempt()).failure).toMatch(failure);
  });

  test("an answer over 1 MiB is cut off, and never looks complete", async () => {
    await givenInstance(platform, world.version.id, (response) => {
      response.write(big);
      response.end(big);
    });
    await expect(send({ path: `${world.base}/settings` })).rejects.toThrow();
    await expect.poll(async () => (await theAttempt()).failure).toBe("Its answer is larger than 1 MiB.");
  });

  test("an echoed state key is masked in body and headers, however it is cut", async () => {
    await givenInstance(platform, world.version.id, async (response, received) => {
      const key = String(received.headers["x-platform-key"]);
      response.writeHead(200, { etag: `"${key}"` });
      response.write(`key: ${key.slice(0, 20)}`);
      await sleep(30);
      response.end(`${key.slice(20)}.`);
    });
    const answer = await send({ path: `${world.base}/settings` });
    expect(answer.body).toBe("key: [state key].");
    expect(answer.headers.etag).toBe('"[state key]"');
  });

  test("a redirect to the app's own path stays below the installation's URL", async () => {
    await givenInstance(
      platform,
      world.version.id,
      (r) => void r.writeHead(303, { location: "/settings?saved=1" }).end(),
    );
    const answer = await send({ method: "POST", path: `${world.base}/callbacks/form`, body: "a=1" });
    expect(answer).toMatchObject({ status: 303, headers: { location: `${world.base}/settings?saved=1` } });
  });

  test("an error of the app is passed on, and recorded as a failure", async () => {
    await givenInstance(platform, world.version.id, (r) => void r.writeHead(500).end("oops"));
    expect(await send({ path: `${world.base}/settings` })).toMatchObject({ status: 500, body: "oops" });
    expect(await theAttempt()).toMatchObject({ status: 500, failure: "It answered 500." });
  });
});

test("without a ready instance, the caller is asked to come back", async () => {
  const answer = await send({ path: `${world.base}/settings` });
  expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "2" } });
  expect((await theAttempt()).failure).toMatch(/No instance/);
});

test("a body over 1 MiB is refused with a reason, announced or not", async () => {
  await givenInstance(platform, world.version.id, html);
  const path = `${world.base}/callbacks/x`;
  const body = Buffer.alloc(1024 * 1024 + 1, "x");
  expect((await send({ method: "POST", path, body })).status).toBe(413);
  const chunked = await send({ method: "POST", path, body, headers: { "transfer-encoding": "chunked" } });
  expect(codeOf(chunked)).toBe("TOO_LARGE");
});

test("a client that leaves ends the call, and the attempt says so", async () => {
  const asked = givenSignal();
  await givenInstance(platform, world.version.id, () => asked.resolve());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const request = httpRequest({ host: "127.0.0.1", port, path: `${world.base}/settings`, agent: false });
  request.on("error", () => undefined).end();
  await asked.promise;
  request.destroy();
  await expect.poll(async () => (await theAttempt()).failure).toMatch(/caller closed the connection/);
});

// Guarantee: one client cannot flood an app through its public endpoints; others still get through.
test("a client that asks too often gets 429 with Retry-After", async () => {
  await givenInstance(platform, world.version.id, html);
  const path = `${world.base}/settings`;
  // Otherwise a slow machine gives the client more requests meanwhile.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  const answers = await Promise.all(Array.from({ length: 60 }, () => send({ path })));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.headers["retry-after"]).toBe("2");
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  const other = await platform.db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.kind, "endpoint"));
  expect(other.length).toBe(answers.length - refused.length);
});
