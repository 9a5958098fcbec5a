import { eq } from "drizzle-orm";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { attempts, routes } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { codeOf, CREDENTIAL, FOREIGN, givenEndpoints, html } from "@/tests/endpoint-world";
import { givenInstance } from "@/tests/fake-app";
import { one, testPlatform } from "@/tests/test-platform";

const platform = await testPlatform();
const { send, world } = givenEndpoints(platform);

// Guarantee: only the declaration decides who may call, and a caller cannot tell why an endpoint is not found.
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
  ["GET", "/", 404],
  ["POST", "/", 404],
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

// Guarantee: whoever asks, Allow lists the methods that the manifest declares, and no endpoint takes part in CORS.
test("OPTIONS, preflights and other methods are refused with the declared methods", async () => {
  const { app } = await givenInstance(platform, world.version.id, html);
  const preflight = { origin: "https://other.example", "access-control-request-method": "PUT" };
  for (const method of ["OPTIONS", "TRACE", "PATCH", "PROPFIND"])
    for (const headers of [{}, preflight]) {
      const page = await send({ method, path: `${world.base}/settings`, headers });
      expect(page).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
      expect(Object.keys(page.headers).join()).not.toContain("access-control");
      const callback = await send({ method, path: `${world.base}/callbacks/x`, headers });
      expect(callback).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST, PUT, DELETE" } });
      expect((await send({ method, path: `${world.base}/unknown`, headers })).status).toBe(404);
    }
  expect(app.received).toEqual([]);
  app.respond = (response) =>
    void response.writeHead(405, { allow: "GET, HEAD, POST, PATCH, OPTIONS, TRACE" }).end();
  expect(await send({ path: `${world.base}/settings` })).toMatchObject({
    status: 405,
    headers: { allow: "GET, HEAD" },
  });
});

// Guarantee: who looks for a page of an app learns what the manifest must declare, and nothing about what there is.
test("an undeclared path, a closed endpoint and an unknown installation get the same explanation", async () => {
  const answer = await send({ path: `${world.base}/settings/advanced` });
  expect(JSON.parse(answer.body).detail).toContain(
    '{"path":"/settings/advanced","methods":["GET"],"access":"public","title":"What it is for"}',
  );
  expect(answer.body).toBe((await send({ path: `/r/${v7()}/settings/advanced` })).body);
  const call = await send({ method: "POST", path: `${world.base}/` });
  expect(JSON.parse(call.body).detail).toMatch(/calls a route at \/r\/<routeId>, without a slash at the end/);
});

// Guarantee: the address of a route and of an installation is for cores, unless the app has a page there that anyone may open.
test("a browser at the address without a path is sent to the app's page, if it has one", async () => {
  const { app } = await givenInstance(platform, world.version.id, html);
  for (const path of [world.base, `/r/${v7()}`, "/r/x"]) {
    const answer = await send({ path });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "POST" } });
    expect(JSON.parse(answer.body).detail).toMatch(
      /^Cores call a route of an app here, with POST\. Browsers/,
    );
  }
  await platform.db.update(routes).set({ path: "/" }).where(eq(routes.path, "/settings"));
  expect(await send({ path: `${world.base}?a=1` })).toMatchObject({
    status: 308,
    headers: { location: `${world.base}/?a=1` },
  });
  expect(await send({ path: `${world.base}/?a=1` })).toMatchObject({ status: 200 });
  expect(one(app.received)).toMatchObject({ method: "GET", url: "/?a=1" });
  await platform.db.update(routes).set({ openedAt: null });
  expect((await send({ path: world.base })).status).toBe(405);
});

test("a malformed route base looks absent", async () => {
  for (const base of ["x", "'", "..", world.installation.id, "%00"]) {
    expect((await send({ path: `/r/${base}/settings` })).status, base).toBe(404);
  }
});
