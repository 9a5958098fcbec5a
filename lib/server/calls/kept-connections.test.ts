import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { sendRequest } from "./send-request";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const answerOf = (text: string, headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

interface Asked {
  socket: Socket;
  /** Counts from 1, over all connections. */
  request: number;
}

/** An app that handles one request for each packet, which is how a short request arrives. */
async function givenApp(respond: (asked: Asked) => void) {
  const app = { origin: "", connections: 0, requests: 0 };
  const server = createServer((socket) => {
    app.connections += 1;
    closers.push(() => socket.destroy());
    socket.on("error", () => undefined);
    socket.on("data", () => respond({ socket, request: (app.requests += 1) }));
  });
  closers.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  app.origin = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}`;
  return app;
}

const call = ({ origin }: { origin: string }) =>
  sendRequest({ method: "POST", origin, path: "/autofill", headers: {}, body: "{}", deadlineMs: 2_000 });

test("calls one after the other share connections, for a second", async () => {
  const app = await givenApp(({ socket, request }) => void socket.write(answerOf(String(request))));
  for (let at = 1; at <= 10; at += 1) expect(await call(app)).toMatchObject({ answer: String(at) });
  // The next call of the same tick does not wait until a connection is known to be free.
  const used = app.connections;
  expect(used).toBeLessThanOrEqual(2);
  await sleep(1_200);
  expect(await call(app)).toMatchObject({ answer: "11" });
  expect(app.connections).toBe(used + 1);
});

test("concurrent calls never share a connection", async () => {
  const app = await givenApp(({ socket, request }) => {
    setTimeout(() => socket.write(answerOf(String(request))), 30);
  });
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(app)));
  expect(new Set(answers.map(({ answer }) => answer)).size).toBe(8);
  expect(app.connections).toBe(8);
});

// Guarantee: what an app sends after its answer never passes for the answer to the next call.
describe("an extra answer", () => {
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
    const app = await givenApp(({ socket }) => respond(socket));
    for (let at = 1; at <= 5; at += 1) {
      expect(await call(app)).toMatchObject({ answer: "mine", fault: null });
      if (when.startsWith("while")) await sleep(60);
    }
    expect(app).toMatchObject({ connections: 5, requests: 5 });
  });
});

// Guarantee: a connection that the app closed neither loses nor doubles a call.
describe("a stale connection", () => {
  test("that the app closed after its answer, unannounced, is replaced", async () => {
    const app = await givenApp(({ socket, request }) => void socket.end(answerOf(String(request))));
    for (let at = 1; at <= 20; at += 1) expect(await call(app)).toMatchObject({ answer: String(at) });
    expect(app).toMatchObject({ connections: 20, requests: 20 });
  });

  test("that the app closed while it was idle is replaced", async () => {
    const app = await givenApp(({ socket, request }) => {
      socket.write(answerOf(String(request)));
      setTimeout(() => socket.resetAndDestroy(), 50);
    });
    for (let at = 1; at <= 4; at += 1) {
      expect(await call(app)).toMatchObject({ answer: String(at) });
      await sleep(100);
    }
    expect(app).toMatchObject({ connections: 4, requests: 4 });
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
    const app = await givenApp(({ socket, request }) => {
      if (request === 1) socket.write(answerOf("x"));
      else socket.resetAndDestroy();
    });
    expect(await call(app)).toMatchObject({ answer: "x" });
    await sleep(20);
    expect(await call(app)).toMatchObject({ answer: null, fault: "app-response-incomplete" });
    await sleep(50);
    expect(app.requests).toBe(2);
  });
});

test("a deadline ends a call that is still waiting for its answer, and its connection", async () => {
  let closed = 0;
  const app = await givenApp(({ socket }) => void socket.once("close", () => (closed += 1)));
  const order = { method: "GET", origin: app.origin, path: "/", headers: {}, deadlineMs: 100 } as const;
  expect(await sendRequest(order)).toMatchObject({ status: null, fault: "app-timed-out" });
  expect(await sendRequest(order)).toMatchObject({ status: null, fault: "app-timed-out" });
  await expect.poll(() => closed).toBe(2);
  expect(app.requests).toBe(2);
});
