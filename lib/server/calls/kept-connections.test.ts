import { readFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { IDLE_MS } from "./kept-connections";
import { sendRequest } from "./send-request";
import { streamRequest } from "./stream-request";

const closers: (() => unknown)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

const answerOf = (text: string, headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

interface Asked {
  socket: Socket;
  /** Counts over all connections, from 1, or from 0 for the request of the trial. */
  request: number;
}

/** An app that handles one request for each packet, which is how a short request arrives. */
async function givenApp(respond: (asked: Asked) => void) {
  const app = { origin: "", connections: 0, open: 0, requests: 0 };
  const server = createServer((socket) => {
    app.connections += 1;
    app.open += 1;
    closers.push(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("close", () => (app.open -= 1));
    socket.on("data", () => respond({ socket, request: (app.requests += 1) }));
  });
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  app.origin = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  return app;
}

/** The same after its trial, in which it kept an idle connection open. The counts begin after it. */
async function givenKeepingApp(respond: (asked: Asked) => void) {
  const app = await givenApp(({ socket, request }) => {
    if (request === 0) socket.write(answerOf("trial"));
    else respond({ socket, request });
  });
  Object.assign(app, { connections: -1, requests: -1 });
  expect(await call(app)).toMatchObject({ answer: "trial" });
  await expect.poll(() => app.open).toBe(0);
  expect(app).toMatchObject({ connections: 0, requests: 0 });
  return app;
}

const call = ({ origin }: { origin: string }) =>
  sendRequest({ method: "POST", origin, path: "/autofill", headers: {}, body: "{}", deadlineMs: 20_000 });

test("calls one after the other share connections, for a second", async () => {
  const app = await givenKeepingApp(({ socket, request }) => void socket.write(answerOf(String(request))));
  for (let at = 1; at <= 10; at += 1) expect(await call(app)).toMatchObject({ answer: String(at) });
  // The next call of the same tick does not wait until a connection is known to be free.
  const used = app.connections;
  expect(used).toBeLessThanOrEqual(2);
  await sleep(IDLE_MS + 200);
  expect(await call(app)).toMatchObject({ answer: "11" });
  expect(app.connections).toBe(used + 1);
});

// Guarantee: an interim response that nobody asked for changes nothing, however it is cut.
test("calls that are answered after 100 Continue share connections", async () => {
  const app = await givenKeepingApp(({ socket, request }) => {
    const all = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\n\r\n${answerOf(String(request))}`;
    socket.setNoDelay(true).write(all.slice(0, request * 5));
    setTimeout(() => socket.write(all.slice(request * 5)), 5);
  });
  for (let at = 1; at <= 12; at += 1) {
    expect(await call(app)).toMatchObject({ answer: String(at), fault: null });
    await sleep(5);
  }
  expect(app.connections).toBe(1);
});

test("an app on trial gets each call on a connection of its own", async () => {
  const app = await givenApp(({ socket, request }) => void socket.write(answerOf(String(request))));
  for (let at = 1; at <= 5; at += 1) expect(await call(app)).toMatchObject({ answer: String(at) });
  expect(app.connections).toBe(5);
  await expect.poll(() => app.open).toBe(0);
  for (let at = 6; at <= 15; at += 1) expect(await call(app)).toMatchObject({ answer: String(at) });
  expect(app.connections).toBeLessThanOrEqual(7);
});

test("an app that was not reached gets its trial later", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  await new Promise((resolve) => taken.close(resolve));
  const origin = `http://127.0.0.1:${port}`;
  for (let at = 1; at <= 2; at += 1)
    expect(await call({ origin })).toMatchObject({ fault: "app-connection-refused" });
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    closers.push(() => socket.destroy());
    socket.on("data", () => socket.write(answerOf("x")));
  });
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await call({ origin });
  await sleep(IDLE_MS + 200);
  for (let at = 1; at <= 10; at += 1) expect(await call({ origin })).toMatchObject({ answer: "x" });
  expect(connections).toBeLessThanOrEqual(3);
});

test("concurrent calls never share a connection", async () => {
  const app = await givenKeepingApp(({ socket, request }) => {
    setTimeout(() => socket.write(answerOf(String(request))), 30);
  });
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(app)));
  expect(new Set(answers.map(({ answer }) => answer)).size).toBe(8);
  expect(app.connections).toBe(8);
});

// Guarantee: what an app sends after its answer never passes for the answer to the next call.
describe.concurrent("an extra answer", () => {
  const EXTRA = answerOf("of nobody");
  test.each<[string, (socket: Socket) => void]>([
    ["in the same packet", (socket) => void socket.write(answerOf("mine") + EXTRA)],
    [
      "in the next packet",
      (socket) => {
        socket.setNoDelay(true).write(answerOf("mine"));
        socket.write(EXTRA);
      },
    ],
    [
      "while the connection is idle",
      (socket) => {
        socket.write(answerOf("mine"));
        setTimeout(() => socket.destroyed || socket.write(EXTRA), 20);
      },
    ],
    ["of half a line", (socket) => void socket.write(`${answerOf("mine")}HTTP/1.1 2`)],
  ])("%s is dropped with its connection", async (when, respond) => {
    const app = await givenKeepingApp(({ socket, request }) =>
      request === 1 ? socket.write(answerOf("mine")) : respond(socket),
    );
    await call(app);
    await sleep(20);
    // It comes on a connection that is reused. After it, the app is on trial again.
    for (let at = 1; at <= 5; at += 1) {
      expect(await call(app)).toMatchObject({ answer: "mine", fault: null });
      if (when.startsWith("while")) await sleep(60);
    }
    expect(app).toMatchObject({ connections: 5, requests: 6 });
  });
});

// Guarantee: a connection that the app closed neither loses nor doubles a call.
describe.concurrent("a stale connection", () => {
  test.each(["end", "resetAndDestroy"] as const)(
    "of an app that closes with %s is replaced",
    async (close) => {
      const app = await givenKeepingApp(({ socket, request }) => {
        socket.write(answerOf(String(request)));
        setTimeout(() => socket[close](), 50);
      });
      for (let at = 1; at <= 4; at += 1) {
        expect(await call(app)).toMatchObject({ answer: String(at) });
        await expect.poll(() => app.open).toBe(0);
      }
      expect(app).toMatchObject({ connections: 4, requests: 4 });
    },
  );

  // An app in a thread of its own closes what is open while this one can't look.
  test.each([
    ["end", "sendRequest"],
    ["resetAndDestroy", "sendRequest"],
    ["end", "streamRequest"],
    ["resetAndDestroy", "streamRequest"],
  ] as const)("that the app closed (%s) while this process was busy is replaced (%s)", async (close, how) => {
    const app = await givenThread(close);
    await call(app);
    await sleep(IDLE_MS + 200);
    await call(app);
    // Continues in the poll phase of the event loop, whose other callbacks and whose immediates run without a look at the kernel.
    await readFile(import.meta.filename);
    app.closeAndBlock();
    if (how === "sendRequest") expect(await call(app)).toMatchObject({ answer: "x", failure: null });
    else expect(await stream(app)).toMatchObject({ status: 200 });
    expect(app.countRequests()).toBe(3);
  });

  test.each(["timeout=1", "timeout=0"])("is not kept where the app announces %s", async (announced) => {
    const app = await givenApp(
      ({ socket }) =>
        void socket.write(answerOf("x", `connection: keep-alive\r\nkeep-alive: ${announced}\r\n`)),
    );
    for (let at = 1; at <= 3; at += 1) expect(await call(app)).toMatchObject({ answer: "x" });
    expect(app.connections).toBe(3);
  });

  test("that breaks after the request was sent fails the call; it is not sent again", async () => {
    const app = await givenKeepingApp(({ socket, request }) => {
      if (request === 1) socket.write(answerOf("x"));
      else socket.resetAndDestroy();
    });
    expect(await call(app)).toMatchObject({ answer: "x" });
    await sleep(20);
    expect(await call(app)).toMatchObject({ answer: null, fault: "app-response-incomplete" });
    await sleep(50);
    expect(app).toMatchObject({ connections: 1, requests: 2 });
  });

  test.each([
    ["end", 1, 400],
    ["resetAndDestroy", 5, 200],
  ] as const)(
    "of an app that closes (%s) %d ms after each answer fails none of %d calls",
    async (close, ms, calls) => {
      const app = await givenThread(close, ms);
      const failed: unknown[] = [];
      for (let at = 0; at < calls; at += 1) {
        const { failure } = await call(app);
        if (failure !== null) failed.push(failure);
        await sleep(Math.random() * 2 * ms);
      }
      expect(failed).toEqual([]);
      expect(app.countRequests()).toBe(calls);
    },
  );
});

const THREAD = `const { createServer } = require("node:net");
  const { parentPort, workerData: { shared, close, afterMs, answer } } = require("node:worker_threads");
  const sockets = new Set();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.on("data", () => {
      Atomics.add(shared, 1, 1);
      socket.write(answer);
      if (afterMs !== undefined) setTimeout(() => socket[close](), afterMs);
    });
  }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
  setInterval(() => {
    if (Atomics.load(shared, 0) !== 1) return;
    for (const socket of sockets) socket[close]();
    Atomics.store(shared, 0, 2);
  }, 1);`;

/** An app in another thread. It closes its connections after each answer, or when it is told to. */
async function givenThread(close: "end" | "resetAndDestroy", afterMs?: number) {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const workerData = { shared, close, afterMs, answer: answerOf("x") };
  const thread = new Worker(THREAD, { eval: true, workerData });
  closers.push(() => thread.terminate());
  const port = await new Promise((resolve) => thread.once("message", resolve));
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    countRequests: () => Atomics.load(shared, 1),
    closeAndBlock: () => {
      Atomics.store(shared, 0, 1);
      while (Atomics.load(shared, 0) !== 2);
      for (const until = performance.now() + 10; performance.now() < until;);
    },
  };
}

const stream = ({ origin }: { origin: string }) =>
  streamRequest({
    method: "POST",
    origin,
    path: "/hook",
    headers: { "content-length": "2" },
    body: (async function* () {
      yield Buffer.from("{}");
    })(),
    deadlineMs: 20_000,
    gone: new AbortController().signal,
  });

test("a deadline ends a call that is still waiting for its answer, and its connection", async () => {
  let closed = 0;
  const app = await givenApp(({ socket }) => void socket.once("close", () => (closed += 1)));
  const order = { method: "GET", origin: app.origin, path: "/", headers: {}, deadlineMs: 1_000 } as const;
  expect(await sendRequest(order)).toMatchObject({ status: null, fault: "app-timed-out" });
  expect(await sendRequest(order)).toMatchObject({ status: null, fault: "app-timed-out" });
  await expect.poll(() => closed).toBe(2);
  expect(app.requests).toBe(2);
});
