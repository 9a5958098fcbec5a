/** What a collector gets, from a real exporter and a little receiver of OTLP over HTTP. */
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { parseTrace, spanIdOf, traceIdOf } from "@/lib/domain/calls/trace";
import { callRoute, callRouteAsCore } from "@/lib/server/calls/call-route";
import { recognizeCore } from "@/lib/server/accounts/credentials/authenticate-core";
import { acceptFromCore } from "@/lib/server/calls/deliveries/accept-event";
import { serveState } from "@/lib/server/calls/serve-state";
import type { Platform } from "@/lib/server/platform/platform";
import { closePlatform, createPlatform } from "./create-platform";
import { sendDueDeliveries } from "@/tests/deliver";
import { givenInstance } from "@/tests/fake-app";
import { givenCredential, givenInstalledApp, one, testPlatform } from "@/tests/test-platform";
import { exportsTraces, openTraces } from "./export-traces";

const platform = await testPlatform();
const CREDENTIAL = "pcc_canary-credential-of-a-core";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CORE_SPAN = "00f067aa0ba902b7";

const attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: z.string(),
              endTimeUnixNano: z.string(),
              attributes: z.array(attribute),
              status: z.object({ code: z.number() }),
            }),
          ),
        }),
      ),
    }),
  ),
});

let receiver: Server;
let url: string;
let bodies: string[];
let types: (string | undefined)[];
let status: number;
let process_: Platform;
let traces: Awaited<ReturnType<typeof openTraces>>;

beforeEach(async () => {
  bodies = [];
  types = [];
  status = 200;
  receiver = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      bodies.push(body);
      types.push(incoming.headers["content-type"]);
      response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  // The SDK reads its variables itself.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", url);
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
});

afterEach(async () => {
  await traces?.close();
  traces = undefined;
  vi.unstubAllEnvs();
  await closePlatform(process_);
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function open(variables: Partial<Platform["environment"]> = { OTEL_EXPORTER_OTLP_ENDPOINT: url }) {
  const json = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
  process_ = createPlatform({ ...platform.environment, ...json, ...variables }, "gateway");
  traces = await openTraces(process_);
  return process_;
}

const spans = () =>
  bodies.flatMap((body) =>
    request
      .parse(JSON.parse(body))
      .resourceSpans.flatMap((each) => each.scopeSpans.flatMap((scope) => scope.spans)),
  );

async function givenWorld() {
  const installed = await givenInstalledApp(platform);
  await givenCredential(platform, installed.tenant.id, CREDENTIAL);
  const { app } = await givenInstance(platform, installed.version.id, (response) => void response.end("{}"));
  const autofill = installed.route("autofill");
  return { ...installed, app, autofill };
}

const CALL = { operation: "newBusiness.create", secret: "canary-payload" };

// Guarantee: without the standard variables, OpenTelemetry is not even loaded.
test("traces are off by default", async () => {
  const isLoaded = () =>
    Object.keys(createRequire(import.meta.url).cache).some((file) =>
      file.includes("/@opentelemetry/sdk-trace"),
    );
  await open({});
  expect(traces).toBeUndefined();
  expect(process_.traces.sink).toBeUndefined();
  expect(isLoaded()).toBe(false);
  traces = await openTraces({
    ...process_,
    environment: { ...process_.environment, OTEL_EXPORTER_OTLP_ENDPOINT: url },
  });
  expect(process_.traces.sink).toBeDefined();
  expect(isLoaded()).toBe(true);
});

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/v1/traces" }, true],
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "true" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "none" }, false],
])("%o: %s", async (variables, expected) => {
  await open({});
  expect(exportsTraces({ ...platform.environment, ...variables })).toBe(expected);
});

// Guarantee: the core's span, the call, the request to the app and the state read are one tree, whose ids the app knows.
test("a call of a core is a tree of spans", async () => {
  const gateway = await open();
  const { app, autofill, installation } = await givenWorld();
  const core = await recognizeCore(gateway, `Bearer ${CREDENTIAL}`);
  const trace = parseTrace(`00-${TRACE}-${CORE_SPAN}-01`, "a=1");
  const { attemptId } = await callRouteAsCore(gateway, core, autofill.id, JSON.stringify(CALL), trace);
  const key = String(app.received[0]?.headers["x-platform-key"]);
  await serveState(gateway, key, { trace: parseTrace(app.received[0]?.headers.traceparent) });
  await expect.poll(() => spans().length).toBe(3);
  const named = (name: string) => one(spans().filter((span) => span.name === name));
  const [server, client, read] = ["POST /r/<routeId>", "call autofill", "GET /state/<key>"].map(named);
  expect(server).toMatchObject({ traceId: TRACE, parentSpanId: CORE_SPAN, kind: 2 });
  expect(client).toMatchObject({
    traceId: TRACE,
    spanId: spanIdOf(attemptId),
    parentSpanId: server?.spanId,
    kind: 3,
  });
  expect(app.received[0]?.headers.traceparent).toBe(`00-${TRACE}-${client?.spanId}-01`);
  expect(read).toMatchObject({ traceId: TRACE, parentSpanId: client?.spanId, kind: 2 });
  expect(client?.attributes.map(({ key: name }) => name).sort()).toEqual([
    "app_hosting.call.id",
    "app_hosting.call.kind",
    "app_hosting.installation.id",
    "http.request.method",
    "http.response.status_code",
  ]);
  expect(Math.abs(Number(client?.startTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000);
  const sent = bodies.join("\n");
  expect(sent).toContain(installation.id);
  expect(sent).toContain("app-hosting-gateway");
  expect(sent).toContain("deployment.environment.name");
  // Guarantee: no secret, key, payload, credential or address is exported.
  for (const canary of [
    key,
    key.slice(4, 40),
    "canary",
    CREDENTIAL,
    app.origin,
    "/autofill",
    installation.routeBase,
  ])
    expect(sent).not.toContain(canary);
});

test("events and their attempts are in one trace, and a failure is an error", async () => {
  const gateway = await open();
  const { app } = await givenWorld();
  app.respond = (response) => void response.writeHead(500).end();
  const core = await recognizeCore(gateway, `Bearer ${CREDENTIAL}`);
  const event = { id: "e1", type: "policy.issued" };
  const { eventId } = await acceptFromCore(gateway, core, event, JSON.stringify(event));
  await sendDueDeliveries(gateway);
  await expect.poll(() => spans().length).toBe(2);
  expect(new Set(spans().map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(eventId)]));
  const failed = one(spans().filter(({ name }) => name === "deliver event"));
  expect(failed.status.code).toBe(2);
  expect(failed.attributes).toContainEqual({
    key: "error.type",
    value: { stringValue: "app-response-status" },
  });
});

// Guarantee: what the core doesn't sample is not exported, the sampler decides for what begins here, and nothing else is described.
test.each([
  ["parentbased_always_on", "", "00", false],
  ["parentbased_always_on", "", "01", true],
  ["parentbased_always_on", "", undefined, true],
  ["parentbased_always_off", "", undefined, false],
  ["parentbased_always_off", "", "01", true],
  ["parentbased_traceidratio", "0", undefined, false],
  ["parentbased_traceidratio", "1", undefined, true],
  ["parentbased_traceidratio", "0", "01", true],
  ["traceidratio", "0", "01", false],
  ["traceidratio", "1", "00", true],
  ["always_off", "", "01", false],
  ["always_on", "", "00", true],
  // What is not valid is reported, and everything is sampled.
  ["traceidratio", "much", undefined, true],
  ["sometimes", "", undefined, true],
  ["sometimes", "", "00", false],
])("%s %s with the core's flag %s: %s", async (sampler, argument, flag, isExported) => {
  const gateway = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: argument,
  });
  const { autofill } = await givenWorld();
  const core = await recognizeCore(gateway, `Bearer ${CREDENTIAL}`);
  const trace = flag === undefined ? undefined : parseTrace(`00-${TRACE}-${CORE_SPAN}-${flag}`);
  const { sink } = gateway.traces;
  if (sink === undefined) throw new Error("the traces are not open");
  const record = vi.spyOn(sink, "record");
  await callRouteAsCore(gateway, core, autofill.id, JSON.stringify(CALL), trace);
  await traces?.close();
  expect(spans().length).toBe(isExported ? 2 : 0);
  expect(record).toHaveBeenCalledTimes(isExported ? 2 : 0);
});

test.each([
  ["", "application/x-protobuf", []],
  ["http/protobuf", "application/x-protobuf", []],
  ["http/json", "application/json", []],
  ["grpc", "application/x-protobuf", [expect.stringContaining("must be http/protobuf or http/json")]],
])("the protocol %j is sent as %s", async (protocol, type, warnings) => {
  await open({});
  const warned = vi.spyOn(process_.log, "warn");
  const named = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: protocol };
  const gateway = { ...process_, environment: { ...process_.environment, ...named } };
  traces = await openTraces(gateway);
  const { autofill } = await givenWorld();
  await callRoute(gateway, autofill.id, CALL);
  await traces?.close();
  expect(types).toEqual([type]);
  expect(bodies[0]).toContain("call autofill");
  expect(warned.mock.calls.map((each) => each.at(1))).toEqual(warnings);
});

// Guarantee: the thread that exports costs no call, whatever happens to it.
test("a thread that fails is logged, and calls go on", async () => {
  const gateway = await open();
  const failed = vi.spyOn(gateway.log, "error");
  const { autofill } = await givenWorld();
  // It can't be read there.
  gateway.traces.sink?.record(JSON.parse("null"));
  await expect
    .poll(() => failed.mock.calls.map((each) => each.at(1)))
    .toEqual(["traces are not exported anymore, because their thread failed"]);
  expect(gateway.traces.sink).toBeUndefined();
  expect(await callRoute(gateway, autofill.id, CALL)).toMatchObject({ failure: null });
  await traces?.close();
});

// Guarantee: a collector that is away, refuses or hangs costs no call, and one line of the log.
test("a collector that fails disturbs nobody, and is logged once", async () => {
  status = 400;
  const gateway = await open();
  const warned = vi.spyOn(gateway.log, "warn");
  const { autofill } = await givenWorld();
  for (let n = 1; n <= 3; n += 1) {
    expect(await callRoute(gateway, autofill.id, CALL)).toMatchObject({ failure: null });
    await expect.poll(() => bodies.length).toBe(n);
  }
  await expect.poll(() => warned.mock.calls.length).toBe(1);
  expect(JSON.stringify(warned.mock.calls)).toContain("traces can't be exported");
});
