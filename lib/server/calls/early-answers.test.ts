import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { IDLE_MS } from "./kept-connections";
import { sendRequest } from "./send-request";
import { type StreamedAnswer, streamRequest } from "./stream-request";

const closers: (() => unknown)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

/**
 * An app in a thread of its own, so that both sides run at the same time. It reads no more than the first bytes of a request, or none
 * at all, and then does what `respond` says with its next answer.
 */
const THREAD = `const { createServer } = require("node:net");
  const { parentPort, workerData } = require("node:worker_threads");
  const { answers, readsNothing } = workerData;
  const respond = eval(workerData.respond);
  let asked = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    const answer = () => respond(socket.pause(), answers[asked++ % answers.length]);
    socket.on("error", () => undefined);
    if (readsNothing) return answer();
    socket.on("data", (chunk) => {
      if (chunk.includes("GET /trial")) return socket.write(answers[0]);
      socket.removeAllListeners("data");
      answer();
    });
  }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;

async function givenApp(respond: string, answers: string[], readsNothing = false): Promise<string> {
  const thread = new Worker(THREAD, { eval: true, workerData: { respond, answers, readsNothing } });
  closers.push(() => thread.terminate());
  const port = await new Promise((resolve) => thread.once("message", resolve));
  return `http://127.0.0.1:${String(port)}`;
}

const BODY = '{"early":"yes"}';
const answersOf = (statuses: string[], headers: string) =>
  statuses.map(
    (status) =>
      `HTTP/1.1 ${status}\r\n${headers}content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  );

const SIZES = [900 * 1024, 1024 * 1024] as const;
const TIMES = 40;

const DEADLINE_MS = 5_000;
const send = (origin: string, at: number, isRead = true) =>
  sendRequest({
    method: "POST",
    origin,
    path: "/events",
    headers: {},
    body: "x".repeat(SIZES[at % 2 === 0 ? 0 : 1]),
    deadlineMs: DEADLINE_MS,
    isRead,
  });

type Answer = Awaited<ReturnType<typeof sendRequest>>;
const isWrong = ({ fault, answer, durationMs }: Answer) =>
  fault !== null || answer !== BODY || durationMs >= DEADLINE_MS;

const WAYS: [string, string, string?][] = [
  ["closes at once", "(socket, answer) => { socket.write(answer); socket.destroySoon(); }"],
  [
    "announces the end, and closes at once",
    "(socket, answer) => socket.end(answer)",
    "connection: close\r\n",
  ],
  ["resets at once", "(socket, answer) => socket.write(answer, () => socket.resetAndDestroy())"],
  [
    "resets a little later",
    "(socket, answer) => socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 5))",
  ],
  ["keeps the connection open", "(socket, answer) => socket.write(answer)"],
  [
    "keeps the connection open after announcing its end",
    "(socket, answer) => socket.write(answer)",
    "connection: close\r\n",
  ],
  [
    "reads a little, and closes",
    `(socket, answer) => {
      socket.resume();
      setTimeout(() => { socket.pause(); socket.write(answer); socket.destroySoon(); }, 2);
    }`,
  ],
  [
    "sends its body slowly, and closes",
    `(socket, answer) => {
      socket.write(answer.slice(0, -10));
      setTimeout(() => {
        socket.write(answer.slice(-10, -5));
        setTimeout(() => { socket.write(answer.slice(-5)); socket.destroySoon(); }, 5);
      }, 5);
    }`,
  ],
];

// Guarantee: an answer that arrived whole is the answer, whether or not the app read the request.
describe.each(WAYS)("an app that answers early and %s", (_what, respond, headers = "") => {
  test.each<[string, string[], boolean]>([
    ["synchronous calls", ["200 OK", "413 Content Too Large"], true],
    ["webhooks", ["202 Accepted", "401 Unauthorized"], false],
  ])("answers %s", async (_kind, statuses, isRead) => {
    const origin = await givenApp(respond, answersOf(statuses, headers));
    const answers: Answer[] = [];
    for (let at = 0; at < TIMES; at += 1) answers.push(await send(origin, at, isRead));
    expect(answers.filter(isWrong)).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, at) => Number.parseInt(statuses[at % 2] ?? "")),
    );
  });

  test("answers on connections that are reused", async () => {
    const origin = await givenApp(respond, answersOf(["200 OK"], headers));
    const trial = { method: "GET", origin, path: "/trial", headers: {}, deadlineMs: DEADLINE_MS } as const;
    await sendRequest(trial);
    await sleep(IDLE_MS + 200);
    const answers: Answer[] = [];
    for (let at = 0; at < TIMES; at += 2) answers.push(await sendRequest(trial), await send(origin, at / 2));
    expect(answers.filter(isWrong)).toEqual([]);
  });

  test("answers streamed requests", async () => {
    const origin = await givenApp(respond, answersOf(["202 Accepted"], headers));
    const texts: string[] = [];
    for (let at = 0; at < TIMES; at += 1) {
      const size = SIZES[at % 2 === 0 ? 0 : 1];
      const answer = await streamRequest({
        method: "POST",
        origin,
        path: "/upload",
        headers: at % 3 === 0 ? {} : { "content-length": String(size) },
        body: inPieces(size),
        deadlineMs: DEADLINE_MS,
        gone: new AbortController().signal,
      });
      texts.push("failure" in answer ? answer.failure : await readText(answer));
    }
    expect(texts.filter((text) => text !== BODY)).toEqual([]);
  });
});

// An answer that a reset overtakes before the connection is known to be open can't be received.
test.each(WAYS.filter(([, respond]) => !respond.includes("reset")))(
  "an app that reads nothing and %s answers a busy process",
  async (_what, respond, headers = "") => {
    const origin = await givenApp(respond, answersOf(["200 OK"], headers), true);
    const answers: Answer[] = [];
    for (let at = 0; at < TIMES; at += 2) {
      const calls = [send(origin, at), send(origin, at + 1)];
      for (let turn = 0; turn < 3; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        for (const until = performance.now() + 3; performance.now() < until;);
      }
      answers.push(...(await Promise.all(calls)));
    }
    expect(answers.filter(isWrong)).toEqual([]);
  },
);

async function* inPieces(size: number) {
  for (let left = size; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), "x");
}

async function readText({ body, explain }: StreamedAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    return explain(error).failure;
  }
  return Buffer.concat(chunks).toString("utf8");
}
