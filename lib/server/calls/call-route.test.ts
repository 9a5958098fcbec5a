import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { organizations } from "@/drizzle/schema/accounts";
import { attempts, deliveries, routes } from "@/drizzle/schema/calls";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/runtime";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenApp, givenInstance, type Respond } from "@/tests/fake-app";
import { callRecorded } from "@/tests/recorded-call";
import { givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { listCalls } from "../insight/call-log/list-calls";
import { readCall, readDelivery } from "../insight/call-log/read-call";
import { openStateKey } from "../platform/state-key";
import { acceptEvent } from "./deliveries/accept-event";
import { callApp } from "./run-lifecycle-hook";
import { enterApp } from "./wait-for-app";

const platform = await testPlatform();
const CREATE = { operation: "newBusiness.create" };
const json: Respond = (response) => void response.end('{"make":"Volvo"}');

let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  world = await givenWorld();
});

async function givenWorld() {
  const given = await givenInstalledApp(platform, { slug: "harbor-mutual", role: "operator" });
  await platform.db.update(organizations).set({ recordBodies: true });
  return { ...given, autofill: given.route("autofill"), webhook: given.route("webhook") };
}

test("an app whose route is its root is called there, with an operation in two members", async () => {
  const { app } = await givenInstance(platform, world.version.id, json);
  await platform.db.update(routes).set({ path: "/" }).where(eq(routes.id, world.autofill.id));
  const { attemptId } = await callRecorded(platform, world.autofill.id, {
    operation: "newBusiness",
    operationType: "create",
  });
  expect(one(app.received)).toMatchObject({ method: "POST", url: "/" });
  expect(await readCall(platform, world.customer, attemptId)).toMatchObject({
    target: "POST /",
    eventType: "newBusiness.create",
  });
});

const MARKED = '\uFEFF{"operation": "newBusiness.create", "n": 1.10}\r\n';

// Guarantee: no byte changes on the way of a payload or an answer, in either direction. What is shown is what was sent.
test("a byte order mark reaches the app, the core and the record", async () => {
  const { app } = await givenInstance(platform, world.version.id, (response) => void response.end(MARKED));
  const { attemptId, answer, failure } = await callRecorded(platform, world.autofill.id, CREATE, {
    text: MARKED,
  });
  expect([one(app.received).body, answer, failure]).toEqual([MARKED, MARKED, null]);
  expect(await readCall(platform, world.customer, attemptId)).toMatchObject({
    payload: MARKED,
    answer: MARKED,
    payloadBytes: Buffer.byteLength(MARKED),
    answerBytes: Buffer.byteLength(MARKED),
  });
});

// Guarantee: the app gets the payload as JSON, and a key that opens only this call's state.
test("an autofill call reaches the app with its own state key, and is recorded without the key", async () => {
  const { app } = await givenInstance(platform, world.version.id, json);
  const result = await callRecorded(
    platform,
    world.autofill.id,
    { ...CREATE, vin: "YV1" },
    { organizationId: world.customer.organization.id },
  );
  expect(result).toMatchObject({ status: 200, answer: '{"make":"Volvo"}', failure: null, failureCode: null });

  const [received] = app.received;
  expect(received).toMatchObject({
    method: "POST",
    url: "/autofill",
    body: '{"operation":"newBusiness.create","vin":"YV1"}',
  });
  expect(received?.headers).toMatchObject({
    "content-type": "application/json",
    "accept-encoding": "identity",
  });
  expect(received?.rawHeaders).toContain("x-PLATFORM-key");
  const key = String(received?.headers["x-platform-key"]);
  expect(openStateKey(platform.keyring, key)).toMatchObject({
    installationId: world.installation.id,
    routeId: world.autofill.id,
    attemptId: result.attemptId,
  });

  const attempt = await readCall(platform, world.customer, result.attemptId);
  expect(attempt).toMatchObject({
    target: "POST /autofill",
    payload: '{"operation":"newBusiness.create","vin":"YV1"}',
    status: 200,
    failure: null,
  });
  expect(JSON.stringify(attempt)).not.toContain(key);
});

// Guarantee: a foreign route, an absent route and a malformed id look the same.
test("a route of another tenant looks absent", async () => {
  const stranger = { organizationId: world.publisher.organization.id };
  const absent = "00000000-0000-7000-8000-000000000000";
  for (const [id, scope] of [
    [world.autofill.id, stranger],
    [absent, {}],
    ["'; drop", {}],
  ] as const) {
    await expect(callRecorded(platform, id, {}, scope)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

// Guarantee: an app gets only the operations that it declares; a refusal names them, and nothing is recorded.
test.each([
  ["another operation", { operation: "endorsement.create" }],
  ["a part of a declared one", { operation: "newBusiness" }],
  ["an operation that is not text", { operation: ["newBusiness.create"] }],
  ["no operation", { vin: "YV1" }],
  ["no object", null],
])("%s is refused", async (_what, payload) => {
  const { app } = await givenInstance(platform, world.version.id, json);
  await expect(callRecorded(platform, world.autofill.id, payload)).rejects.toMatchObject({
    code: "OPERATION_NOT_DECLARED",
    status: 400,
    detail: /newBusiness\.\*/,
  });
  expect(app.received).toEqual([]);
  expect(await platform.db.select().from(attempts)).toEqual([]);
});

test("a rater declares no operations, so every call reaches it", async () => {
  await givenInstance(platform, world.version.id, json);
  const { id } = world.route("rater");
  expect(await callRecorded(platform, id, { operation: "anything" })).toMatchObject({ failure: null });
});

test("a stopped installation is not called, and a webhook route is not called directly", async () => {
  await expect(callRecorded(platform, world.webhook.id, {})).rejects.toMatchObject({ code: "BAD_INPUT" });
  await platform.db.update(installations).set({ state: "STOPPED" });
  await expect(callRecorded(platform, world.autofill.id, CREATE)).rejects.toMatchObject({
    code: "WRONG_STATE",
  });
  expect(await platform.db.select().from(attempts)).toEqual([]);
});

test("without a ready instance, the attempt fails with a reason", async () => {
  const result = await callRecorded(platform, world.autofill.id, CREATE);
  expect(result).toMatchObject({ status: null, failureCode: "APP_NOT_RUNNING" });
  expect(result.failure).toContain("No instance of the app is ready");
});

// Guarantee: a call never reaches another app that got the address of an ended container while the call waited.
test("a call that waited for a place goes to where the app is by then", async () => {
  const { version, installation, autofill } = world;
  const { app: former, instance } = await givenInstance(platform, version.id, json);
  const current = await givenApp(json);
  const places = await Promise.all(
    Array.from({ length: 32 }, () => enterApp(platform, version.id, installation.id, 1)),
  );
  const calling = callRecorded(platform, autofill.id, CREATE);
  await sleep(400);
  await platform.db.update(instances).set({ origin: current.origin }).where(eq(instances.id, instance.id));
  for (const place of places) place.leave();
  expect(await calling).toMatchObject({ failure: null });
  expect(former.received).toEqual([]);
  expect(current.received).toHaveLength(1);
});

// Guarantee: no answer of an app does harm. A bad one ends the call with a reason.
describe("hostile answers", () => {
  const big = Buffer.alloc(64 * 1024, "x");
  const endless: Respond = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(big));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  };
  test.each<[string, Respond, number | null, RegExp]>([
    [
      "a redirect is not followed",
      (r) => void r.writeHead(302, { location: "http://169.254.169.254/" }).end(),
      302,
      /doesn't follow redirects/,
    ],
    ["an endless answer is cut", endless, 200, /larger than 1 MiB/],
    [
      "huge headers",
      (r) => void r.writeHead(200, { "x-big": "h".repeat(20_000) }).end(),
      null,
      /larger than 16 KiB/,
    ],
    [
      "a compressed answer",
      (r) => void r.writeHead(200, { "content-encoding": "gzip" }).end(big),
      200,
      /compressed/,
    ],
    ["an answer that is not JSON", (r) => void r.end("<html>"), 200, /not valid JSON/],
    ["no content", (r) => void r.writeHead(204).end(), 204, /not valid JSON/],
    ["an error status", (r) => void r.writeHead(500).end("{}"), 500, /returned 500/],
    ["a broken connection", (r) => void r.destroy(), null, /closed the connection/],
  ])("%s", async (_name, respond, status, failure) => {
    await givenInstance(platform, world.version.id, respond);
    const result = await callRecorded(platform, world.autofill.id, CREATE);
    expect(result).toMatchObject({ status, failureCode: "APP_FAILED" });
    expect(result.failure).toMatch(failure);
    const attempt = one(await platform.db.select().from(attempts).where(eq(attempts.id, result.attemptId)));
    expect(attempt).toMatchObject({ status, failure: result.failure });
  });

  test.each<[string, Respond, string]>([
    ["silence", () => undefined, "It didn't send its response headers within 0.4 s."],
    [
      "a byte at a time",
      (response) => void setInterval(() => response.write("x"), 50).unref(),
      "It sent its response headers, but not the whole body within 0.4 s.",
    ],
  ])("the deadline holds over %s", async (_name, respond, failure) => {
    const { app } = await givenInstance(platform, world.version.id, respond);
    const { installation, autofill } = world;
    const target = {
      installationId: installation.id,
      routeId: autofill.id,
      revision: 1,
      epoch: 0,
      kind: "autofill" as const,
      replicas: [{ id: null, origin: app.origin }],
    };
    const result = await callApp(platform, {
      ...target,
      method: "POST",
      path: "/autofill",
      body: "{}",
      deadlineMs: 400,
    });
    expect(result).toMatchObject({ fault: "app-timed-out", failure });
  });

  // Guarantee: the core gets answers as documented, or learns what is wrong with them.
  test.each<[string, string, string | null, string[]]>([
    ["autofill", '{"data":{"vin":"x"},"more":[1]}', null, []],
    ["autofill", "{}", null, []],
    ["autofill", "[]", "app-response-invalid", [""]],
    ["autofill", '"text"', "app-response-invalid", [""]],
    ["autofill", '{"data":[1]}', "app-response-invalid", ["/data"]],
    ["rater", '{"price":12.5,"currency":"EUR","basis":{}}', null, []],
    ["rater", '{"price":"12.5","currency":"euro"}', "app-response-invalid", ["/price", "/currency"]],
    ["rater", "null", "app-response-invalid", [""]],
  ])("the answer of %s %s: %s", async (kind, answer, fault, pointers) => {
    await givenInstance(platform, world.version.id, (response) => void response.end(answer));
    const route = one(world.routes.filter((each) => each.kind === kind));
    const result = await callRecorded(platform, route.id, CREATE);
    expect(result).toMatchObject({ fault, answer });
    expect(result.issues.map(({ code, pointer }) => [code, pointer])).toEqual(
      pointers.map((pointer) => [fault, pointer]),
    );
  });

  test("an echoed key, a NUL and a megabyte are not stored", async () => {
    await givenInstance(
      platform,
      world.version.id,
      (response, received) =>
        void response.end(
          JSON.stringify({ key: received.headers["x-platform-key"], long: "é".repeat(100_000) }) +
            "\0".repeat(3),
        ),
    );
    const result = await callRecorded(platform, world.autofill.id, CREATE);
    expect(result.answer).toContain('"key":"[state key]"');
    const attempt = await readCall(platform, world.customer, result.attemptId);
    expect(attempt.answer).toContain('"key":"[state key]"');
    expect(Buffer.byteLength(attempt.answer ?? "")).toBeLessThanOrEqual(16 * 1024 + 3);
  });
});

test("a payload over 1 MiB is refused before anything is recorded", async () => {
  await expect(
    callRecorded(platform, world.autofill.id, { ...CREATE, x: "x".repeat(1024 * 1024) }),
  ).rejects.toMatchObject({
    code: "TOO_LARGE",
  });
  expect(await platform.db.select().from(attempts)).toEqual([]);
});

// Guarantee: a page can show that deliveries wait, since when, and how each ended.
test("deliveries that wait or are tried again are counted, and one is shown with its attempts", async () => {
  const { customer, installation, tenant } = world;
  const list = async () => (await listCalls(platform, customer, { installation: installation.id })).pending;
  expect(await list()).toEqual({ waiting: 0, waitingSince: null, retrying: 0, nextRetryAt: null });
  const event = { id: "e1", type: "policy.issued", timestamp: "2026-01-01T00:00:00Z", data: null };
  await acceptEvent(platform, tenant.id, event);
  const waiting = await list();
  expect(waiting).toMatchObject({ waiting: 1, retrying: 0 });
  expect(Date.parse(waiting?.waitingSince ?? "")).toBeGreaterThan(Date.now() - 60_000);

  await givenInstance(platform, world.version.id, (response) => void response.writeHead(500).end());
  await sendDueDeliveries(platform);
  await platform.db.update(deliveries).set({ nextAttemptAt: sql`now() + interval '5 minutes'` });
  expect(await list()).toMatchObject({ waiting: 0, waitingSince: null, retrying: 1 });
  const { id } = one(await platform.db.select().from(deliveries));
  const view = await readDelivery(platform, customer, id);
  expect(view).toMatchObject({ state: "PENDING", attemptCount: 1, attempts: [{ status: 500 }] });
  await expect(readDelivery(platform, world.publisher, id)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});
