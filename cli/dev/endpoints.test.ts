/** What passes through the emulator between a caller and a real app: the same as through the platform. */
import { createHash, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { callRoute } from "./emulator/send-call";
import { type RunningDev, startDev } from "./test-dev";

const MANIFEST = {
  name: "acme/files",
  version: "1.0.0",
  core: {
    externalRaters: [{ name: "Echo", path: "/echo" }],
    webhooks: [{ path: "/events", events: ["policy.*"] }],
    endpoints: [
      { path: "/files/*", methods: ["GET", "POST"], access: "public", title: "Files" },
      { path: "/drop", methods: ["PUT"], access: "public", title: "Drop" },
    ],
  },
};

/** Answers with what it received, or as the path asks. */
const APP = `import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://app");
  if (pathname === "/files/early") return response.writeHead(413).end("too much", () => request.socket.destroySoon());
  const body = await buffer(request);
  if (pathname === "/files/echo")
    return response.writeHead(200, { "content-type": "image/png", "x-sum": "1", "set-cookie": "a=1" }).end(body);
  if (pathname === "/echo") return response.end(body);
  if (pathname === "/files/sum") return response.end(createHash("sha256").update(body).digest("hex"));
  if (pathname === "/files/asked") return response.end(JSON.stringify({ url: request.url, headers: request.headers }));
  if (pathname === "/files/same") return response.writeHead(304, { etag: '"a"' }).end();
  if (pathname === "/files/made") return response.writeHead(201, { location: "/files/1" }).end();
  if (pathname === "/files/moved") return response.writeHead(301, { location: "/files/1" }).end();
  if (pathname === "/files/packed") return response.writeHead(200, { "content-encoding": "gzip" }).end("x");
  if (pathname === "/files/key") return response.end("key: " + request.headers["x-platform-key"]);
  if (pathname === "/files/methods") return response.writeHead(405, { allow: "GET, PATCH, OPTIONS" }).end();
  response.end("ok");
}).listen(process.env.PLATFORM_PORT);
`;

let base = "";
let dev: RunningDev;
beforeAll(async () => {
  dev = await startDev(async (folder) => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "platform-app.json"), JSON.stringify(MANIFEST));
    await writeFile(path.join(folder, "server.mjs"), APP);
  });
  base = `${dev.url}/r/${dev.customers[0] ?? ""}`;
});

const NOT_TEXT: [string, Buffer][] = [
  ["random bytes", randomBytes(300_000)],
  ["all bytes", Buffer.from(Array.from({ length: 256 }, (_, at) => at))],
  ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
  ["gzip", gzipSync("hello")],
  ["a byte order mark", Buffer.from("\uFEFFhello")],
  ["Latin-1", Buffer.from("Jos\xe9", "latin1")],
];

// Guarantee: bytes pass unchanged, in both directions.
test.each(NOT_TEXT)("%s pass unchanged", async (_what, bytes) => {
  const body = new Uint8Array(bytes);
  const echoed = await fetch(`${base}/files/echo`, { method: "POST", body });
  expect(Buffer.from(await echoed.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(echoed.headers)).toMatchObject({ "content-type": "image/png" });
  expect(echoed.headers.has("set-cookie") || echoed.headers.has("x-sum")).toBe(false);
  const summed = await fetch(`${base}/files/sum`, { method: "POST", body });
  expect(await summed.text()).toBe(createHash("sha256").update(bytes).digest("hex"));
});

const EXACT =
  '{"n": 9007199254740993, "m": 1.10, "z": -0, "big": 1e400, "same": 1, "same": 2,\r\n "__proto__": 3, "u": "\\u00e9\u2028"} \n';

// Guarantee: what a developer writes is what the app gets, and what the app sends is what is shown.
test.each(["", "\uFEFF"])("a payload and its answer stay as they were written after %j", async (mark) => {
  const input = { customerId: dev.customers[0] ?? "", route: "rater:/echo", text: mark + EXACT };
  const { request, response, failure } = await callRoute(dev.emulator, input);
  expect([request.body, response?.body, failure]).toEqual([mark + EXACT, mark + EXACT, null]);
  await expect(callRoute(dev.emulator, { ...input, text: "{" })).rejects.toMatchObject({ code: "BAD_INPUT" });
});

test.each(["", "\uFEFF"])(
  "an event after %j gets what is missing, and stays as it was written",
  async (mark) => {
    const written = `${mark}{"type": "policy.issued", "id": "one", "id": "two", "username": "ann", "data": ${EXACT}}`;
    const input = { customerId: dev.customers[0] ?? "", route: "webhook:/events", text: written };
    const body = (await callRoute(dev.emulator, input)).request.body ?? "";
    expect(body).toContain(`"username": "ann", "data": ${EXACT.trim()}`);
    expect(body.startsWith(`${mark}{"type"`)).toBe(true);
    expect(JSON.parse(body.slice(mark.length))).toMatchObject({
      id: expect.stringMatching(/^dev-/),
      timestamp: expect.any(String),
    });
  },
);

test("the path, the query and the headers pass as they were sent", async () => {
  const query = "?a=b%20c+d&e&f=%C3%A9&=g";
  const headers = {
    range: "bytes=0-1",
    "stripe-signature": "t=1",
    "x-forwarded-for": "10.0.0.1",
    cookie: "a=1",
  };
  const asked = await (await fetch(`${base}/files/asked${query}`, { headers })).json();
  expect(asked).toMatchObject({
    url: `/files/asked${query}`,
    headers: { range: "bytes=0-1", "stripe-signature": "t=1", "accept-encoding": "identity" },
  });
  expect(asked.headers).not.toHaveProperty("x-forwarded-for");
  expect(asked.headers).not.toHaveProperty("cookie");
});

// Guarantee: the app is in its caller's trace, below a span of its own, as on the platform.
test("a trace is passed on, and a call without one gets one", async () => {
  const ask = async (headers: Record<string, string>) =>
    (await (await fetch(`${base}/files/asked`, { headers })).json()).headers;
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  const passed = await ask({ traceparent, tracestate: "a=1" });
  expect(passed.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(passed.traceparent).not.toBe(traceparent);
  expect(passed.tracestate).toBe("a=1");
  const own = await ask({ traceparent: "invalid", tracestate: "a=1" });
  expect(own.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(own).not.toHaveProperty("tracestate");
});

describe("an answer without a body of its own", () => {
  test.each<[string, string, number, Record<string, string | null>]>([
    ["GET", "/files/same", 304, { etag: '"a"' }],
    ["POST", "/files/made", 201, { location: "/files/1" }],
    ["GET", "/files/moved", 502, { location: null }],
    ["GET", "/files/packed", 502, {}],
    ["GET", "/files/methods", 405, { allow: "GET" }],
    ["HEAD", "/files/same", 304, { etag: '"a"' }],
    ["OPTIONS", "/files/x", 405, { allow: "GET, HEAD, POST" }],
    ["DELETE", "/drop", 405, { allow: "PUT" }],
    ["GET", "/unknown", 404, {}],
    ["GET", "/files//x", 400, {}],
  ])("%s %s is %i", async (method, at, status, headers) => {
    const answer = await fetch(base + at, { method, redirect: "manual" });
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) {
      const own = name === "location" && value !== null ? new URL(base).pathname + value : value;
      expect(answer.headers.get(name)).toBe(own);
    }
  });
});

test("a state key in the answer is masked", async () => {
  expect(await (await fetch(`${base}/files/key`)).text()).toBe("key: [state key]");
});

test("a body over 1 MiB is refused, and an early answer to a large one is passed on", async () => {
  const tooLarge = await fetch(`${base}/files/sum`, {
    method: "POST",
    body: new Uint8Array(1024 * 1024 + 1),
  });
  expect(tooLarge.status).toBe(413);
  expect(await tooLarge.json()).toMatchObject({ code: "TOO_LARGE" });
  for (let at = 0; at < 10; at += 1) {
    const early = await fetch(`${base}/files/early`, { method: "POST", body: new Uint8Array(900 * 1024) });
    expect([early.status, await early.text()]).toEqual([413, "too much"]);
  }
});
