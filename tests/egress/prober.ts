/** For tests: an app that tries what its tests ask it to try, from inside its container. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { request } from "undici";
import { z } from "zod";

export const PROBER = "prober";

const SERVER = `
import { createServer, get } from "node:http";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { createSocket } from "node:dgram";

const LIMIT_MS = 5_000;
const AT_ONCE = 12;
const within = (start) => new Promise((resolve) => {
  const timer = setTimeout(() => end("no answer"), LIMIT_MS);
  const end = (seen) => { clearTimeout(timer); thing?.destroy?.(); thing?.close?.(); resolve(seen); };
  const thing = start(end);
  thing.on("error", (error) => end(error.code ?? error.message));
});
const ways = {
  tls: ({ host, port, servername = host, family }) => within((end) => {
    const options = { host, port, rejectUnauthorized: false, ...(family && { family }) };
    const socket = connectTls(/^[\\d.]+$/.test(servername) ? options : { ...options, servername });
    socket.once("data", (data) => end(data.toString().trim()));
    socket.once("end", () => end("ended"));
    return socket;
  }),
  http: ({ host, port, name = host }) => within((end) =>
    get({ host, port, headers: { host: port === 80 ? name : name + ":" + port }, agent: false }, (answer) => {
      answer.once("data", (data) => end(answer.statusCode === 200 ? data.toString().trim() : "status " + answer.statusCode));
    })),
  tcp: ({ host, port }) => within((end) => connect({ host, port }, () => end("connected"))),
  udp: ({ host, port }) => within((end) => {
    const socket = createSocket("udp4").on("message", (message) => end(message.toString()));
    socket.send("hello", port, host, (error) => error && end(error.code ?? error.message));
    return { on: (...args) => socket.on(...args), destroy: () => socket.close() };
  }),
  state: () => within((end) => get(process.env.PLATFORM_STATE_API + "/health", (answer) => end("status " + answer.statusCode))),
  // How long connections take, and how much a second one of them carries.
  measure: async ({ host, port, times, bytes }) => {
    const took = [];
    for (let index = 0; index < times; index += 1) {
      const start = performance.now();
      await ways.tls({ host, port });
      took.push(performance.now() - start);
    }
    const start = performance.now();
    let read = 0;
    await new Promise((resolve) => {
      const socket = connectTls({ host, port, servername: "a.example", rejectUnauthorized: false, ...(host.includes("example") && { servername: host }) });
      socket.write("send " + bytes);
      socket.on("data", (chunk) => (read += chunk.length));
      socket.on("error", resolve);
      socket.once("close", resolve);
    });
    const seconds = (performance.now() - start) / 1_000;
    took.sort((a, b) => a - b);
    return JSON.stringify({ medianMs: took[Math.floor(took.length / 2)], mibPerSecond: read / 1_048_576 / seconds });
  },
};
let background = { until: 0, seen: [] };
// Whether or not earlier ones have ended: those that were under way when something broke wait long.
const repeat = async (attempts, ms) => {
  background = { until: Date.now() + ms, seen: [] };
  const { until, seen } = background;
  while (Date.now() < until) {
    const at = Date.now();
    for (const attempt of attempts) void ways[attempt.way](attempt).then((result) => seen.push({ ...attempt, at, endedAt: Date.now(), result }));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
createServer(async (incoming, answer) => {
  if (incoming.method === "GET") return answer.end(incoming.url === "/seen" ? JSON.stringify(background.seen) : "ok");
  let body = "";
  for await (const chunk of incoming) body += chunk;
  const { attempts, repeatMs } = JSON.parse(body);
  if (repeatMs) { void repeat(attempts, repeatMs); return answer.end("[]"); }
  const results = [];
  const left = attempts.entries();
  const work = async () => { for (const [index, attempt] of left) results[index] = await ways[attempt.way](attempt); };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  answer.end(JSON.stringify(results));
}).listen(Number(process.env.PLATFORM_PORT));
`;

/** Writes the app into a folder of examples. */
export async function writeProber(examplesFolder: string): Promise<string> {
  const folder = path.join(examplesFolder, PROBER);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "server.mjs"), SERVER);
  await writeFile(
    path.join(folder, "Dockerfile"),
    'ARG BASE\nFROM ${BASE}\nCOPY server.mjs /app/server.mjs\nCMD ["node", "/app/server.mjs"]\n',
  );
  return folder;
}

export interface Attempt {
  way: "tls" | "http" | "tcp" | "udp" | "state" | "measure";
  host?: string;
  port?: number;
  /** As the TLS or HTTP request names the host. */
  servername?: string;
  name?: string;
  family?: 6;
  times?: number;
  bytes?: number;
}

/** What the app saw, in the attempts' order. */
export async function tryFrom(origin: string, attempts: readonly Attempt[]): Promise<string[]> {
  const { body } = await request(origin, { method: "POST", body: JSON.stringify({ attempts }) });
  return z.array(z.string()).parse(await body.json());
}

/** The app goes on trying. */
export async function keepTrying(
  origin: string,
  attempts: readonly Attempt[],
  repeatMs: number,
): Promise<void> {
  const { body } = await request(origin, { method: "POST", body: JSON.stringify({ attempts, repeatMs }) });
  await body.dump();
}

const seen = z.array(
  z.object({ servername: z.string().optional(), at: z.number(), endedAt: z.number(), result: z.string() }),
);

export async function readSeen(origin: string) {
  const { body } = await request(`${origin}/seen`);
  return seen.parse(await body.json());
}
