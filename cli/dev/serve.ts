/**
 * An HTTP server for this machine only. It answers requests that name it by an address of its own, so that no web page can
 * reach it by a name that it controls, and lets no page of another origin write.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { Problem } from "@/lib/contract/platform/problem";

const BODY_BYTES = 4 * 1024 * 1024;

export interface Exchange {
  method: string;
  /** As it was sent, without the query. */
  path: string;
  query: URLSearchParams;
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborted when the client is gone. */
  gone: AbortSignal;
  /** The body as text, which must be JSON by its type. */
  readJson: () => Promise<string>;
}

export interface Serving {
  port: number;
  close(): Promise<void>;
}

/** @param hosts names besides the loopback's by which it may be called */
export async function serve(
  { host, port, hosts = [] }: { host: string; port: number; hosts?: readonly string[] },
  handle: (exchange: Exchange) => Promise<void> | void,
): Promise<Serving> {
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => answerProblem(response, error));
  });
  const bound = await listen(server, host, port);
  const names = new Set(["127.0.0.1", "localhost", "[::1]", ...hosts].map((name) => `${name}:${bound}`));
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "/" } = request;
    if (!names.has(request.headers.host ?? ""))
      throw new Problem("WRONG_ORIGIN", `Open http://127.0.0.1:${bound} instead of another name for it.`);
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${request.headers.host}`)
      throw new Problem("WRONG_ORIGIN", "Pages of other origins can't use the emulator.");
    const [path = "/", query = ""] = url.split("?", 2);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    await handle({
      method,
      path,
      request,
      response,
      query: new URLSearchParams(query),
      gone: gone.signal,
      readJson: () => readJson(request),
    });
  }
}

async function readJson(request: IncomingMessage): Promise<string> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
    throw new Problem("WRONG_MEDIA_TYPE", "Send JSON with content-type: application/json.");
  if (Number(request.headers["content-length"] ?? 0) > BODY_BYTES)
    throw new Problem("TOO_LARGE", "The request body is larger than 4 MiB.");
  return text(request);
}

export function answerJson(response: ServerResponse, status: number, value: unknown, type = "json"): void {
  const body = status === 204 ? "" : JSON.stringify(value);
  response
    .writeHead(status, {
      ...(status === 204 ? {} : { "content-type": `application/${type}` }),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    })
    .end(body);
}

export function answerProblem(response: ServerResponse, error: unknown): void {
  const problem =
    error instanceof Problem
      ? error
      : new Problem(
          "INTERNAL",
          `The emulator failed: ${error instanceof Error ? error.message : String(error)}`,
        );
  if (problem.status === 405 && !response.headersSent)
    response.setHeader("allow", problem.allowed.join(", "));
  if (response.headersSent) response.destroy();
  else answerJson(response, problem.status, problem.body(), "problem+json");
}

/** The port, or another one if 0 was asked for. Throws the engine's error, such as EADDRINUSE. */
function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(address !== null && typeof address === "object" ? address.port : port);
    });
  });
}
