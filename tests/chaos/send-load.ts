/** Starts the load generator of load-generator.mjs. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { z } from "zod";

export interface LoadOrder {
  /** Of the gateway. */
  url: string;
  requests: readonly LoadRequest[];
  /** At most. Requests that find none idle are not sent. */
  connections: number;
  perSecond: number;
  seconds: number;
  /** On Linux, all of 127.0.0.0/8 is this machine: callers with addresses of their own. */
  localAddress?: string;
  /** Every connection sends one request with a chunked body of a byte a second, and again when it was refused. */
  trickle?: boolean;
  /**
   * It loads the platform while others are measured. It runs at a low priority, because on a machine of its own it would take no
   * processor time from the gateway.
   */
  isLoad?: boolean;
}

export interface LoadRequest {
  method: string;
  path: string;
  authorization?: string;
  /** Sent as JSON, unless it is an archive. */
  body?: unknown;
}

const report = z.object({
  sent: z.number(),
  /** Due, but no connection was idle. */
  skipped: z.number(),
  /** Connections that ended without an answer. */
  resets: z.number(),
  unanswered: z.number(),
  withoutRetryAfter: z.number(),
  statuses: z.record(z.string(), z.number()),
  /** Of the answers 2xx. */
  latenciesMs: z.array(z.number()),
  /** The first body of each other status. */
  samples: z.record(z.string(), z.string()),
  okPerSecond: z.array(z.number()),
  /** Of one core, how much the generator used: near 1, it would be the bottleneck. */
  coreUse: z.number(),
});
export type LoadReport = z.infer<typeof report>;

export async function sendLoad({ url, requests, trickle = false, ...order }: LoadOrder): Promise<LoadReport> {
  const child = fork(path.join(import.meta.dirname, "load-generator.mjs"), {
    execArgv: [],
    serialization: "advanced",
  });
  try {
    await once(child, "message");
    const port = Number(new URL(url).port);
    child.send({ ...order, port, trickle, requests: requests.map((each) => write(each, trickle)) });
    const [message] = await once(child, "message");
    return report.parse(message);
  } finally {
    child.kill("SIGKILL");
  }
}

function write({ method, path: target, authorization, body }: LoadRequest, isEndless: boolean): Buffer {
  const isArchive = Buffer.isBuffer(body);
  const bytes = isArchive ? body : Buffer.from(body === undefined ? "" : JSON.stringify(body));
  const headers = [
    "host: 127.0.0.1",
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    ...(isEndless ? ["transfer-encoding: chunked"] : []),
    ...(body === undefined
      ? []
      : [`content-type: application/${isArchive ? "x-tar" : "json"}`, `content-length: ${bytes.length}`]),
  ];
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`),
    bytes,
  ]);
}

export function countOk({ statuses }: LoadReport): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (Number(status) < 300 ? sum + count : sum),
    0,
  );
}

/** Of what was sent: refused, cut off, or not answered. */
export function countFailed(load: LoadReport): number {
  return load.sent - countOk(load);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
