/** What each app may ask of the guard, with limits that a test can wait for. */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EgressPolicy } from "@/lib/contract/runtime/egress";
import { EGRESS_LIMITS } from "@/lib/domain/runtime/egress/egress-limits";
import { createClientHello, extension, serverName, splitRecords } from "@/tests/egress/client-hello";
import { createOwnListeners } from "./own-listeners";
import { createResolver } from "./resolve-name";
import { createRules } from "./rules";

const [ONE, TWO, GUARD_OF_ONE, GUARD_OF_TWO, OUT, SERVER] = [
  "127.68.0.2",
  "127.68.0.12",
  "127.68.0.3",
  "127.68.0.13",
  "127.68.0.4",
  "127.68.0.9",
];
const limits = {
  ...EGRESS_LIMITS,
  greetingMs: 1_500,
  // Later than the greeting's limit, which must be the one that ends a silent connection.
  idleMs: 2_000,
  bytesPerSecond: 1024 * 1024,
  connectionsPerSecond: 50,
  connectionsAtOnce: 100,
};
const GREETING = splitRecords(createClientHello([extension(0, serverName("core.internal"))]));
/** Ports below 1024 on other loopback addresses: Linux, as root. */
const canListen = process.platform === "linux" && process.getuid?.() === 0;

describe.skipIf(!canListen)("the limits of an app", () => {
  const rules = createRules(createOwnListeners(), {
    names: createResolver(async () => [SERVER]),
    limits,
  });
  const { counters } = rules;
  const servers: Server[] = [];
  let [echoPort, httpPort, served] = [0, 0, 0];

  const tell = (policies: EgressPolicy[]) =>
    rules.follow({ sequence: 1, from: "worker", policies, own: [], never: [] }, {});

  beforeAll(async () => {
    echoPort = await listen(
      createServer((socket) => {
        served += 1;
        socket.on("error", () => undefined).pipe(socket);
      }),
    );
    httpPort = await listen(createHttpServer((_, answer) => answer.end("fine")));
    const core = { isCore: true, mayBePrivate: true, host: "core.internal" };
    const policy = (appAddress: string, guardAddress: string, callPort: number): EgressPolicy => ({
      ...{ id: appAddress, versionId: "version", appAddress, anyHost: false },
      network: { guardAddress, callAddress: OUT, callPort },
      stateApi: { host: SERVER, port: httpPort },
      rules: [
        { ...core, port: echoPort, tls: true },
        { ...core, port: httpPort, tls: false },
      ],
    });
    expect(await tell([policy(ONE, GUARD_OF_ONE, 20_001), policy(TWO, GUARD_OF_TWO, 20_002)])).toEqual([]);
  });

  afterAll(async () => {
    await tell([]);
    servers.forEach((server) => server.close());
  });

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.listen(0, SERVER);
    await once(server, "listening");
    const bound = server.address();
    return bound !== null && typeof bound === "object" ? bound.port : 0;
  }

  async function open(port: number, from = ONE, to = GUARD_OF_ONE): Promise<Socket> {
    const socket = connect({ host: to, port, localAddress: from });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    return socket;
  }

  /** Sends what is left a byte at a time. How long the connection lived, and what came back. */
  async function drip(port: number, first: string | Uint8Array, rest: string | Uint8Array) {
    const startedAt = performance.now();
    const socket = await open(port);
    let answer = "";
    socket.on("data", (data) => (answer += data.toString()));
    // A byte that crosses the end of the connection is answered with a reset.
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(first);
    const bytes = Buffer.from(rest);
    let at = 0;
    const timer = setInterval(() => {
      if (at < bytes.length && socket.writable) socket.write(bytes.subarray(at, (at += 1)));
    }, 200);
    await closed;
    clearInterval(timer);
    return { ms: performance.now() - startedAt, answer };
  }

  const HEAD = `GET /slow HTTP/1.1\r\nHost: core.internal:`;
  const countOf = (port: number) => {
    counters.reportAll();
    return counters.takeChanged().find((count) => count.host === "" && count.port === port);
  };

  // Guarantee: who says where it leads a byte at a time is gone as soon as who says nothing.
  test.each([
    ["nothing at all", () => echoPort, "", ""],
    ["a TLS greeting", () => echoPort, GREETING.subarray(0, 1), GREETING.subarray(1)],
    ["a head of HTTP", () => httpPort, HEAD.slice(0, 1), HEAD.slice(1)],
  ])("%s, a byte at a time, is over at the deadline, and counted once", async (_, port, first, rest) => {
    const [before, refused] = [served, countOf(port())?.refused ?? 0];
    const { ms } = await drip(port(), first, rest);
    expect(ms).toBeGreaterThan(limits.greetingMs - 100);
    expect(ms).toBeLessThan(2 * limits.greetingMs + 4_000);
    expect(countOf(port())).toMatchObject({ refused: refused + 1, reason: "did not say where it leads" });
    expect(served).toBe(before);
  });

  test("the head of a second request has the same deadline", async () => {
    const first = `${HEAD}${httpPort}\r\n\r\n`;
    const { ms, answer } = await drip(httpPort, first + HEAD.slice(0, 1), HEAD.slice(1));
    expect(answer).toMatch(/200 OK[^]*fine[^]*408 Request Timeout/);
    expect(ms).toBeLessThan(2 * limits.greetingMs + 4_000);
  });

  test("a connection without a byte is ended, and one with some goes on", async () => {
    const [still, lively] = [await open(echoPort), await open(echoPort)];
    const startedAt = performance.now();
    for (const socket of [still, lively]) socket.resume().write(GREETING);
    const timer = setInterval(() => lively.write("x"), 300);
    await once(still, "close");
    expect(performance.now() - startedAt).toBeGreaterThan(limits.idleMs - 100);
    await sleep(limits.idleMs);
    expect(lively.readyState).toBe("open");
    clearInterval(timer);
    await once(lively, "close");
  });

  test("both directions together carry no more than the rate", async () => {
    const socket = await open(echoPort);
    const startedAt = performance.now();
    let received = 0;
    const total = 2 * limits.bytesPerSecond;
    const all = new Promise<void>((resolve) => {
      socket.on("data", ({ length }) => (received += length) >= total + GREETING.length && resolve());
    });
    socket.write(Buffer.concat([GREETING, Buffer.alloc(total)]));
    await all;
    // Four mebibytes, of which one was saved up.
    expect(performance.now() - startedAt).toBeGreaterThan(2_500);
    socket.destroy();
  });

  /** From a thread of its own, as an app is a process of its own. Ends with how many it opened. */
  async function flood(ms: number): Promise<number> {
    const worker = new Worker(FLOOD, {
      eval: true,
      workerData: { ms, from: ONE, to: GUARD_OF_ONE, port: echoPort, greeting: GREETING },
    });
    const [opened] = await once(worker, "message");
    await worker.terminate();
    return Number(opened);
  }

  // Guarantee: an app that does nothing but open connections and ask for names takes nothing from its neighbors.
  test("a flood of connections and questions is cut down to the app's budget, and a neighbor goes on", async () => {
    const exchange = async () => {
      const startedAt = performance.now();
      const socket = await open(echoPort, TWO, GUARD_OF_TWO);
      socket.write(GREETING);
      await once(socket, "data");
      socket.destroy();
      return performance.now() - startedAt;
    };
    // What the app opened in earlier tests is paid back.
    await sleep((limits.connectionsAtOnce / limits.connectionsPerSecond) * 1_000);
    counters.takeChanged();
    const before = served;
    const startedAt = performance.now();
    const flooding = flood(3_000);
    const took: number[] = [];
    let isOver = false;
    void flooding.finally(() => (isOver = true));
    while (!isOver) {
      took.push(await exchange());
      await sleep(50);
    }
    const opened = await flooding;
    const seconds = (performance.now() - startedAt) / 1_000;
    const most = limits.connectionsAtOnce + seconds * limits.connectionsPerSecond;
    expect(opened).toBeGreaterThan(most);
    expect(served - before - took.length).toBeLessThanOrEqual(most);
    took.sort((a, b) => a - b);
    const p99 = took[Math.floor(took.length * 0.99)] ?? 0;
    expect(took.length).toBeGreaterThan(10);
    expect(p99).toBeLessThan(1_000);
    const counted = counters.takeChanged().filter(({ id }) => id === ONE);
    expect(counted.find(({ host }) => host === "")?.reason).toContain("too many connections in a short time");
    expect(counted.find(({ host }) => host === "other hosts")?.refused).toBeGreaterThan(0);
  });
});

const FLOOD = `
const { parentPort, workerData: { ms, from, to, port, greeting } } = require("node:worker_threads");
const { connect } = require("node:net");
const socket = require("node:dgram").createSocket("udp4").bind(0, from);
const until = Date.now() + ms;
let opened = 0;
const question = (name) => Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, name.length, ...Buffer.from(name), 0, 0, 1, 0, 1]);
const open = () => {
  if (Date.now() > until) return;
  const connection = connect({ host: to, port, localAddress: from }, () => {
    opened += 1;
    connection.write(greeting);
    for (let index = 0; index < 4; index += 1) socket.send(question("n" + opened + "x" + index), 53, to);
  });
  connection.on("data", () => connection.destroy()).on("error", () => undefined).on("close", () => setImmediate(open));
};
for (let index = 0; index < 64; index += 1) open();
setTimeout(() => parentPort.postMessage(opened), ms + 200);
`;
