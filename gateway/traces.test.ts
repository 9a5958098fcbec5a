/** W3C traces through the gateway and the worker: from the core to the app, and into the records. */
import type { Server } from "node:http";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attempts, deliveries } from "@/drizzle/schema/calls";
import { parseTrace, spanIdOf, traceIdOf } from "@/lib/domain/calls/trace";
import { readCall } from "@/lib/server/insight/call-log/read-call";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance, type Received } from "@/tests/fake-app";
import { givenCredential, givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { createGateway } from "./serve";

const platform = await testPlatform();
const CREDENTIAL = "pcc_test-credential-of-a-core";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

let server: Server;
let base: string;
let world: Awaited<ReturnType<typeof givenWorld>>;
beforeEach(async () => {
  server = createGateway(platform);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  world = await givenWorld();
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function givenWorld() {
  const installed = await givenInstalledApp(platform);
  await givenCredential(platform, installed.tenant.id, CREDENTIAL);
  const { app } = await givenInstance(platform, installed.version.id, (response) => void response.end("{}"));
  const autofill = installed.route("autofill");
  return { ...installed, app, autofill };
}

function post(path: string, body: object, headers: Record<string, string>) {
  return fetch(base + path, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${CREDENTIAL}`, ...headers },
    body: JSON.stringify(body),
  });
}

const callAutofill = (headers: Record<string, string>) =>
  post(`/r/${world.autofill.id}`, { operation: "newBusiness.create" }, headers);

async function recorded() {
  await platform.services.recorder.flush();
  return platform.db.select().from(attempts).orderBy(attempts.id);
}

const traceOf = ({ headers }: Received) => parseTrace(headers.traceparent, headers.tracestate);

// Guarantee: the app is in the core's trace, below a span of the platform's, and the call says which trace it is.
test("a call passes on the core's trace", async () => {
  expect((await callAutofill({ traceparent: PARENT, tracestate: "vendor=a, other=b" })).status).toBe(200);
  const attempt = one(await recorded());
  const received = one(world.app.received);
  expect(traceOf(received)).toEqual({
    traceId: TRACE,
    parentId: spanIdOf(attempt.id),
    isSampled: true,
    state: "vendor=a, other=b",
  });
  expect(traceIdOf(attempt.traceId ?? "")).toBe(TRACE);
  expect((await readCall(platform, world.customer, attempt.id)).traceId).toBe(TRACE);
});

test.each([
  ["none", {}],
  ["an invalid one", { traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01`, tracestate: "a=1" }],
])("with %s, a call gets a trace of its own", async (_name, headers) => {
  expect((await callAutofill(headers)).status).toBe(200);
  const attempt = one(await recorded());
  expect(attempt.traceId).toBeNull();
  expect(traceOf(one(world.app.received))).toMatchObject({ traceId: traceIdOf(attempt.id), state: null });
  expect((await readCall(platform, world.customer, attempt.id)).traceId).toBe(traceIdOf(attempt.id));
});

test("what the core doesn't want sampled, the app doesn't sample either", async () => {
  await callAutofill({ traceparent: PARENT.replace(/01$/, "00") });
  expect(traceOf(one(world.app.received))).toMatchObject({ traceId: TRACE, isSampled: false });
});

// Guarantee: all attempts of an event are in the event's trace, each as a span of its own.
test.each([
  ["the core's", { traceparent: PARENT, tracestate: "vendor=a" }, TRACE, "vendor=a"],
  ["its own", {}, undefined, null],
])("each attempt to deliver an event is in one trace: %s", async (_name, headers, expected, state) => {
  world.app.respond = (response) => void response.writeHead(500).end();
  const event = { id: "e1", type: "policy.issued", timestamp: new Date().toISOString(), data: {} };
  const answer: unknown = await (await post("/core/v1/events", event, headers)).json();
  expect(answer).toMatchObject({ duplicate: false });
  await sendDueDeliveries(platform);
  await platform.db.update(deliveries).set({ nextAttemptAt: new Date(0) });
  await sendDueDeliveries(platform);
  const { eventId = "" } = (await platform.db.select().from(deliveries))[0] ?? {};
  const rows = await recorded();
  expect(rows).toHaveLength(2);
  expect(world.app.received.map(traceOf)).toEqual(
    rows.map(({ id }) => ({
      traceId: expected ?? traceIdOf(eventId),
      parentId: spanIdOf(id),
      isSampled: true,
      state,
    })),
  );
  for (const { traceId } of rows) expect(traceIdOf(traceId ?? "")).toBe(expected ?? traceIdOf(eventId));
});

test("an attempt whose worker died is in its event's trace, too", async () => {
  const event = { id: "e1", type: "policy.issued", timestamp: new Date().toISOString(), data: {} };
  await post("/core/v1/events", event, { traceparent: PARENT });
  const lost = "019ab0c1-7e2d-7000-8000-000000000001";
  await platform.db.update(deliveries).set({ leasedBy: lost, leasedUntil: new Date(0) });
  await sendDueDeliveries(platform);
  const [attempt] = await platform.db.select().from(attempts).where(eq(attempts.id, lost));
  expect(traceIdOf(attempt?.traceId ?? "")).toBe(TRACE);
});
