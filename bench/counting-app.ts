/**
 * An app that answers every POST at once, and reports when the expected number has arrived, and how late they were. The first
 * ones, which are skipped, do not count.
 */
import { createServer } from "node:http";

const [, , port] = process.argv;
let expected = 0;
let skipped = 0;
let arrived = 0;
let firstAt = 0;
let lateness: number[] = [];

createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === "GET") return void response.writeHead(200, { "content-length": 0 }).end();
  let body = "";
  request.setEncoding("latin1").on("data", (text: string) => (body += text));
  request.once("end", () => {
    response.writeHead(204).end();
    const now = performance.timeOrigin + performance.now();
    arrived += 1;
    if (arrived <= skipped) return;
    if (arrived === skipped + 1) firstAt = now;
    const sentAt = Number(/"sentAt":(\d+)/.exec(body)?.[1] ?? NaN);
    lateness.push(now - sentAt);
    if (arrived === skipped + expected) report(now);
  });
}).listen(Number(port), "127.0.0.1", () => process.send?.({ ready: true }));

function report(now: number): void {
  const sorted = lateness.sort((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  process.send?.({ ms: now - firstAt, p50Ms: percentile(0.5), p95Ms: percentile(0.95) });
}

process.on("message", (message: { expect: number; skip: number }) => {
  expected = message.expect;
  skipped = message.skip;
  arrived = 0;
  lateness = [];
});
