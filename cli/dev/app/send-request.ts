/** One HTTP request to the app, with the platform's limits: one deadline for all of it, and a capped answer. */
import { type IncomingMessage, request as send } from "node:http";
import { connect } from "node:net";
import { performance } from "node:perf_hooks";
import { isSuccess } from "@/lib/domain/calls/backoff";
import {
  explainEncoding,
  explainMalformed,
  explainTimeout,
  type Failure,
  FAULT_SENTENCES,
  UNASKED_UPGRADE,
  WITHOUT_BODY,
} from "@/lib/domain/calls/explain-answer";
import { surviveFailedWrites } from "@/lib/domain/calls/failed-writes";
import { IDENTITY } from "@/lib/domain/calls/headers";
import { describeInvalidUtf8, findInvalidUtf8 } from "@/lib/domain/platform/utf8";

const ANSWER_BYTES = 1024 * 1024;
const HEADER_BYTES = 16 * 1024;

export interface LocalRequest {
  method: string;
  port: number;
  /** With its query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  deadlineMs: number;
  /**
   * Who reads the answer: the core as text, or a browser as it is. If nobody does, as of a webhook, its status is the whole result.
   */
  reader: "core" | "browser" | "nobody";
}

export interface LocalAnswer {
  /** Null if none arrived. */
  status: number | null;
  headers: Record<string, string>;
  /** Null if it was not received completely. */
  bytes: Buffer | null;
  /** The same as text. */
  body: string | null;
  ms: number;
  /** What went wrong between platform and app; null if a complete answer of any status arrived. */
  failed: Failure | null;
}

export function sendRequest({
  deadlineMs,
  body,
  headers,
  reader,
  ...order
}: LocalRequest): Promise<LocalAnswer> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let head: Pick<LocalAnswer, "status" | "headers"> = { status: null, headers: {} };
    const settle = (received: Buffer | null, failed: Failure | null) => {
      clearTimeout(deadline);
      const isAnswer = failed === null || (head.status !== null && isStatusEnough(head.status, reader));
      const bytes = isAnswer ? (received ?? Buffer.alloc(0)) : received;
      resolve({
        ...head,
        bytes,
        body: bytes?.toString("utf8") ?? null,
        failed: isAnswer ? null : failed,
        ms: Math.round(performance.now() - startedMs),
      });
      outgoing.destroy();
    };
    const outgoing = send({
      ...order,
      host: "127.0.0.1",
      headers: { ...headers, ...IDENTITY },
      maxHeaderSize: HEADER_BYTES,
      agent: false,
      createConnection: () => {
        const socket = connect({ host: "127.0.0.1", port: order.port, noDelay: true });
        surviveFailedWrites(socket);
        return socket;
      },
    });
    const deadline = setTimeout(() => {
      const failure = explainTimeout(deadlineMs / 1000, head.status !== null);
      settle(null, { fault: "app-timed-out", failure });
    }, deadlineMs);
    outgoing.on("error", (error) => settle(null, explainError(error)));
    outgoing.on("upgrade", (_response, socket) => {
      socket.destroy();
      settle(null, { fault: "app-response-malformed", failure: UNASKED_UPGRADE });
    });
    outgoing.on("response", (response) => {
      head = { status: response.statusCode ?? 0, headers: flatten(response) };
      const encoded =
        order.method === "HEAD" ? undefined : explainEncoding(response.statusCode ?? 0, head.headers);
      if (encoded !== undefined) return settle(null, encoded);
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > ANSWER_BYTES) settle(null, failure("app-response-too-large"));
      });
      response.on("error", (error) => settle(null, explainError(error)));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const at = reader === "core" && isSuccess(head.status) ? findInvalidUtf8(bytes) : undefined;
        if (at !== undefined)
          return settle(null, {
            fault: "app-response-not-utf8",
            failure: describeInvalidUtf8("Its response", bytes, at),
          });
        settle(bytes, null);
      });
    });
    outgoing.end(body);
  });
}

/** Whether nobody needs the body: the status says what went wrong, is all that is asked for, or has none. */
function isStatusEnough(status: number, reader: LocalRequest["reader"]): boolean {
  return reader === "nobody" || WITHOUT_BODY.has(status) || (reader === "core" && !isSuccess(status));
}

function flatten({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(entries);
}

function explainError(error: Error): Failure {
  const code = "code" in error ? String(error.code) : "";
  if (code === "ECONNREFUSED") return failure("app-connection-refused");
  if (code === "HPE_HEADER_OVERFLOW") return failure("app-response-headers-too-large");
  if (code.startsWith("HPE_")) {
    const packet = "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : undefined;
    return { fault: "app-response-malformed", failure: explainMalformed(packet?.toString("latin1", 0, 16)) };
  }
  return failure("app-response-incomplete");
}

function failure(fault: keyof typeof FAULT_SENTENCES): Failure {
  return { fault, failure: FAULT_SENTENCES[fault] };
}
