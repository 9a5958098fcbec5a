import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createApiKey } from "@/lib/server/accounts/credentials/manage-api-keys";
import { freePort } from "@/lib/server/platform/machine";
import { givenInstance } from "@/tests/fake-app";
import {
  givenCredential,
  givenInstalledApp,
  givenListing,
  givenMember,
  testPlatform,
} from "@/tests/test-platform";

const MASTER_KEYS = "drain:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const CREDENTIAL = "pcc_the-credential-of-a-core";
const platform = await testPlatform({ PLATFORM_MASTER_KEYS: MASTER_KEYS });
let child: ChildProcess | undefined;
afterEach(() => child?.kill("SIGKILL"));

async function startGateway(settings: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const { DATABASE_URL, PLATFORM_DATA_DIR } = platform.environment;
  child = fork(".build/gateway.js", {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      DATABASE_URL,
      PLATFORM_DATA_DIR,
      PLATFORM_MASTER_KEYS: MASTER_KEYS,
      PLATFORM_GATEWAY_PORT: String(port),
      PLATFORM_LOG_LEVEL: "silent",
      ...settings,
    },
  });
  await once(child, "message");
  return `http://127.0.0.1:${port}`;
}

/** An autofill route whose app responds when it is released. */
async function givenSlowApp() {
  const { version, tenant, route } = await givenInstalledApp(platform);
  await givenCredential(platform, tenant.id, CREDENTIAL);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { app } = await givenInstance(platform, version.id, async (response) => {
    await released;
    response.end('{"late":true}');
  });
  return { app, release, routeId: route("autofill").id };
}

// Guarantee (P14): after SIGTERM, a gateway finishes the requests it accepted, accepts no more, and exits with 0.
test("SIGTERM drops no response", async () => {
  const { app, release, routeId } = await givenSlowApp();
  const base = await startGateway();
  const headers = { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` };
  const calls = Array.from({ length: 10 }, () =>
    fetch(`${base}/r/${routeId}`, { method: "POST", headers, body: '{"operation":"newBusiness.create"}' }),
  );
  await expect.poll(() => app.received.length).toBe(10);
  const ended = once(child ?? process, "exit");
  child?.kill("SIGTERM");
  const isOpen = () => fetch(`${base}/health`).then(Boolean, () => false);
  await expect.poll(isOpen).toBe(false);
  release();
  const answers = await Promise.all(calls);
  // The callers learn that their next requests need another connection.
  expect(answers.map(({ headers: answered }) => answered.get("connection"))).toEqual(Array(10).fill("close"));
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(Array(10).fill({ late: true }));
  expect(await ended).toEqual([0, null]);
  // Their records are written behind the answers, and none is left behind at the end.
  expect((await platform.pool.query("select 1 from attempts")).rowCount).toBe(10);
});

// Guarantee: an app that is answering a call can still read its state, over a new connection. Otherwise the call would fail, and the app be blamed.
test("containers reach the state API until the last call has ended", async () => {
  const { app, release, routeId } = await givenSlowApp();
  const stateApi = `127.0.0.1:${await freePort()}`;
  const base = await startGateway({ PLATFORM_STATE_LISTEN: stateApi });
  const headers = { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}` };
  const body = '{"operation":"newBusiness.create"}';
  const call = fetch(`${base}/r/${routeId}`, { method: "POST", headers, body });
  await expect.poll(() => app.received.length).toBe(1);
  const ended = once(child ?? process, "exit");
  child?.kill("SIGTERM");
  await expect.poll(() => fetch(`${base}/health`).then(Boolean, () => false)).toBe(false);
  const key = String(app.received[0]?.headers["x-platform-key"]);
  const read = await fetch(`http://${stateApi}/state/${key}`, { headers: { connection: "close" } });
  expect(read.status).toBe(200);
  release();
  expect((await call).status).toBe(200);
  expect(await ended).toEqual([0, null]);
});

// Guarantee (P14): a load balancer whose connection stays open learns that the gateway is ending, and no request that was
// already on its way is lost.
test("a gateway that is ending says so on open connections", async () => {
  const base = await startGateway();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const readHealth = async () => {
    const [response] = await once(request(`${base}/health`, { agent }).end(), "response");
    const { statusCode, headers } = response;
    return { status: statusCode, connection: headers.connection, body: await text(response) };
  };
  expect(await readHealth()).toMatchObject({ status: 200, connection: "keep-alive" });
  const ended = once(child ?? process, "exit");
  child?.kill("SIGTERM");
  // It accepts no more connections as soon as it is ending.
  await expect.poll(() => fetch(`${base}/health`).then(Boolean, () => false), { interval: 5 }).toBe(false);
  const draining = { status: 503, connection: "close", body: '{"status":"draining"}' };
  expect(await readHealth()).toEqual(draining);
  await expect(readHealth()).rejects.toMatchObject({ code: "ECONNREFUSED" });
  expect(await ended).toEqual([0, null]);
});

// Guarantee: connections that browsers and load balancers opened ahead don't delay the end until its limit of 25 s.
test("a connection on which nothing was sent does not delay the end", async () => {
  const { port, hostname } = new URL(await startGateway());
  const unused = connect(Number(port), hostname);
  await once(unused, "connect");
  const ended = once(child ?? process, "exit");
  child?.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
}, 20_000);

// Guarantee: with a notice, the gateway serves new connections until the load balancer has seen it leave.
test("a gateway that gives notice still accepts connections meanwhile", async () => {
  const base = await startGateway({ PLATFORM_DRAIN_NOTICE_MS: "5000" });
  const ended = once(child ?? process, "exit");
  child?.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${base}/health`)).status).toBe(503);
  expect((await fetch(`${base}/.well-known/jwks.json`)).status).toBe(200);
  expect(await ended).toEqual([0, null]);
});

/** An upload of which only the beginning arrives, and the folder that it is written to. */
async function givenStuckUpload(base: string): Promise<{ folder: string; refused: Promise<string> }> {
  const publisher = await givenMember(platform, "acme");
  await givenListing(platform, publisher);
  const { clientId, apiKey } = await createApiKey(platform, publisher, "CI");
  const authorization = `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
  const upload = request(`${base}/publish/v1/apps/acme/vin-lookup/versions`, {
    method: "POST",
    headers: { authorization },
  });
  upload.write("the beginning");
  const refused = once(upload, "response").then(
    async ([response]) => text(response),
    (error: unknown) => String(error),
  );
  const store = path.join(platform.environment.dataDir, "bundles");
  await expect.poll(() => readdir(store).catch(() => [])).toHaveLength(1);
  return { folder: store, refused };
}

// Guarantee: an upload that never ends is refused in time, and nothing of it is left.
test("SIGTERM ends a stuck upload, which leaves nothing behind", async () => {
  const { folder, refused } = await givenStuckUpload(await startGateway());
  const ended = once(child ?? process, "exit");
  child?.kill("SIGTERM");
  expect(await refused).toContain('"code":"UNAVAILABLE"');
  expect(await ended).toEqual([0, null]);
  expect(await readdir(folder)).toEqual([]);
});

// Guarantee: what a killed process was receiving is removed by the next start.
test("a start removes the upload of a gateway that was killed", async () => {
  const { folder, refused } = await givenStuckUpload(await startGateway());
  const ended = once(child ?? process, "exit");
  child?.kill("SIGKILL");
  await ended;
  await refused;
  expect(await readdir(folder)).toHaveLength(1);
  await startGateway();
  expect(await readdir(folder)).toEqual([]);
});
