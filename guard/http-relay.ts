/**
 * HTTP by its Host. Node's parser reads each request, so that every one of a connection is checked, and writes it anew: what follows a
 * request can't be read as another one by the server behind it. To a core that has HTTPS and only an address, it is written over TLS.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { Agent as TlsAgent, request as requestSecurely } from "node:https";
import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { EgressCount } from "@/lib/contract/runtime/egress";
import type { EgressLimits } from "@/lib/domain/runtime/egress/egress-limits";
import { passHeaders, readRequestHost } from "@/lib/domain/runtime/egress/http-request";
import { pump } from "./pump";
import { Refusal } from "./resolve-name";

/** Where a name leads. */
export interface Found {
  address: string;
  /** The host as the server knows it. It differs from the name for a core that has only an address. */
  knownAs: string;
  /** Over TLS, with a certificate for the address that the platform trusts. */
  isSecured: boolean;
}

interface HttpOptions {
  limits: EgressLimits;
  /** Throws a Refusal. */
  find: (name: string, port: number, answer: ServerResponse) => Promise<Found>;
  /** Which certificates are trusted; undefined for those that Node trusts. */
  trust: () => SecureContext | undefined;
  connected: (name: string, port: number) => EgressCount;
  moved: (count: EgressCount, direction: "bytesOut" | "bytesIn", bytes: number) => number;
  refused: (name: string, port: number, reason: string) => void;
}

export interface HttpRelay {
  serve(socket: Socket, port: number): void;
  close(): void;
}

const MOST_HEADER_BYTES = 16_384;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** How often heads are looked at that take too long. */
const CHECK_MS = 1_000;
/** For what the app still sends, so that it gets the answer instead of a reset. */
export const LINGER_MS = 1_000;
export const SILENT = "did not say where it leads";

/** For one app: no connection to a server is shared by two. */
export function createHttpRelay({
  limits: { greetingMs, idleMs },
  find,
  trust,
  connected,
  moved,
  refused,
}: HttpOptions): HttpRelay {
  const kept = { keepAlive: true, maxFreeSockets: 16, timeout: idleMs };
  const agent = new Agent(kept);
  let secured: { trusted: SecureContext | undefined; agent: TlsAgent } | undefined;
  const ports = new WeakMap<object, number>();
  const server = createServer({
    maxHeaderSize: MOST_HEADER_BYTES,
    requireHostHeader: false,
    requestTimeout: 0,
    headersTimeout: greetingMs,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: 60_000,
  });
  server.setTimeout(idleMs);
  let open = 0;
  const portOf = (socket: object) => ports.get(socket) ?? 0;

  server.on("request", (incoming, answer) => void relay(incoming, answer));
  server.on("connect", (incoming: IncomingMessage, socket: Socket) => refuseSocket(incoming, socket));
  server.on("upgrade", (incoming: IncomingMessage, socket: Socket) => refuseSocket(incoming, socket));
  server.on("clientError", (error, socket) => {
    const isLate = "code" in error && error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    refused("", portOf(socket), isLate ? SILENT : "sent a malformed HTTP request");
    const status = isLate ? "408 Request Timeout" : "400 Bad Request";
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    setTimeout(() => socket.destroy(), LINGER_MS);
  });

  function readHost(incoming: IncomingMessage, port: number) {
    const { method = "", url: target = "", httpVersion, rawHeaders } = incoming;
    return readRequestHost({ method, target, httpVersion, rawHeaders }, port);
  }

  function refuseSocket(incoming: IncomingMessage, socket: Socket): void {
    const port = portOf(incoming.socket);
    const host = readHost(incoming, port);
    const [reason, status] =
      "refused" in host ? [host.refused, host.status] : ["asked for another protocol over HTTP", 501];
    refused("", port, reason);
    socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  }

  async function relay(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const port = portOf(incoming.socket);
    const host = readHost(incoming, port);
    if ("refused" in host) {
      refuse(answer, host.status, "", port, host.refused);
      return;
    }
    try {
      const found = await find(host.name, port, answer);
      if (!answer.destroyed) pass(incoming, answer, { name: host.name, port, ...found });
    } catch (error) {
      const reason = error instanceof Refusal ? error.message : UNREACHABLE;
      refuse(answer, 403, host.name, port, reason);
    }
  }

  function pass(
    incoming: IncomingMessage,
    answer: ServerResponse,
    { name, port, address, knownAs, isSecured }: Found & { name: string; port: number },
  ): void {
    const { rawHeaders } = incoming;
    const isChunked = incoming.headers["transfer-encoding"] !== undefined;
    const knownHost = port === (isSecured ? HTTPS_PORT : HTTP_PORT) ? knownAs : `${knownAs}:${port}`;
    const options = {
      port,
      method: incoming.method,
      path: incoming.url,
      headers: [
        ...passHeaders(knownAs === name ? rawHeaders : replaceHost(rawHeaders, knownHost)),
        ...(isChunked ? ["transfer-encoding", "chunked"] : []),
      ],
      setHost: false,
      timeout: idleMs,
    };
    const outgoing = isSecured
      ? // The certificate must be for this address, which is no server name.
        requestSecurely({ ...options, agent: findTlsAgent(), host: address, servername: "" })
      : request({
          ...options,
          agent,
          // The agent keeps connections by this name. Each leads to an address that was checked when it was opened.
          host: name,
          lookup: (_name, { all }, callback) =>
            all === true ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4),
        });
    const count = connected(name, port);
    outgoing.once("timeout", () => outgoing.destroy());
    outgoing.once("error", (error) => {
      if (answer.headersSent) answer.destroy();
      else refuse(answer, 502, name, port, isSecured ? explainFailure(error) : UNREACHABLE);
    });
    // Nothing was asked for that.
    outgoing.once("upgrade", (_incoming, socket) => socket.destroy());
    outgoing.once("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, passHeaders(response.rawHeaders));
      pump(response, answer, (bytes) => moved(count, "bytesIn", bytes));
      response.once("close", () => response.complete || answer.destroy());
    });
    answer.once("close", () => answer.writableFinished || outgoing.destroy());
    pump(incoming, outgoing, (bytes) => moved(count, "bytesOut", bytes));
  }

  /** Requests in progress go on, and no new one uses a connection that was made with other certificates. */
  function findTlsAgent(): TlsAgent {
    const trusted = trust();
    if (secured === undefined || secured.trusted !== trusted)
      secured = { trusted, agent: new TlsAgent({ ...kept, secureContext: trusted }) };
    return secured.agent;
  }

  function refuse(answer: ServerResponse, status: number, name: string, port: number, reason: string): void {
    refused(name, port, reason);
    if (answer.destroyed) return;
    const text = name === "" ? `The app ${reason}.\n` : `The host ${name} ${reason}.\n`;
    answer.writeHead(status, { "content-type": "text/plain", connection: "close" }).end(text);
  }

  return {
    serve: (socket, port) => {
      ports.set(socket, port);
      // The server never listens itself, and Node looks for heads that take too long only while one does.
      if (open === 0) server.emit("listening");
      open += 1;
      socket.once("close", () => {
        open -= 1;
        if (open === 0) server.close();
      });
      server.emit("connection", socket);
      process.nextTick(() => socket.resume());
    },
    close: () => {
      agent.destroy();
      secured?.agent.destroy();
    },
  };
}

const UNREACHABLE = "could not be reached";

/** Node names what is wrong with a certificate by a code of OpenSSL or of its own. */
function explainFailure(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "has a certificate that is not for this IP address";
  if (/CERT|SELF_SIGNED|VERIFY|ISSUER/.test(code))
    return `has a certificate that the platform does not trust (${code})`;
  return UNREACHABLE;
}

function replaceHost(rawHeaders: readonly string[], host: string): string[] {
  return rawHeaders.map((value, at) =>
    at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "host" ? host : value,
  );
}
