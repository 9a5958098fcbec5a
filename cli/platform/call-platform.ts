/** One request to the gateway with the saved key. Error responses become a `PlatformProblem`. */
import { BlockList, isIP } from "node:net";
import { type Dispatcher, EnvHttpProxyAgent, request } from "undici";
import * as z from "zod";
import { issueShape } from "@/lib/contract/catalog/manifest-draft";
import { platformAddresses } from "@/lib/contract/surface/addresses";
import { parseJson } from "@/lib/contract/platform/problem";
import { Failure, PlatformProblem } from "../terminal/failure";
import type { Credentials } from "./credentials";

const problem = z.object({
  /** The URL of the code's entry in the documentation. */
  type: z.string().optional(),
  code: z.string(),
  detail: z.string(),
  issues: z.array(issueShape).default([]),
  version: z.string().optional(),
});

/** After an upload, the server reads every layer of the image, which takes minutes for a large one. */
const ANSWER_MS = 15 * 60_000;

export class ConnectionFailure extends Failure {
  constructor(message: string) {
    super("NOT_REACHABLE", message);
  }
}

type Options = Omit<Dispatcher.RequestOptions, "origin" | "path"> & { headers?: Record<string, string> };

export async function call<Shape extends z.ZodType>(
  credentials: Credentials,
  shape: Shape,
  path: string,
  options: Options,
): Promise<z.infer<Shape>> {
  const { status, text } = await send(credentials, path, options);
  const parsed = shape.safeParse(parseJson(text));
  if (status < 300 && parsed.success) return parsed.data;
  throw toFailure(credentials, status, text);
}

export function toAuthorization({ clientId, apiKey }: Credentials): string {
  return `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
}

/** What an error response means. */
export function toFailure(credentials: Credentials, status: number, text: string): Failure {
  const failed = problem.safeParse(parseJson(text));
  if (failed.success) return toProblem(failed.data);
  if ([502, 503, 504].includes(status))
    return new ConnectionFailure(
      `A proxy in front of ${credentials.url} got no answer from the platform (status ${status}). Check that the platform is running, then try again. If it happens again, ask the platform's operator to let the proxy wait longer (nginx: proxy_read_timeout): the platform reads every layer of an image before it answers.`,
    );
  if (status === 413) return tooLargeForProxy(credentials, "this request");
  const proxy = findProxy(credentials);
  const further =
    proxy === undefined ? "." : ` and the proxy (${proxy.variable}), or add the host to NO_PROXY.`;
  return new Failure(
    "NOT_REACHABLE",
    `${credentials.url} returned the status ${status}, but it doesn't look like the platform's gateway. Check the URL (--url or PLATFORM_URL; \`platform-app login\` finds the gateway if you know only the address of the pages)${further}`,
  );
}

/** @param what such as "this request" */
export function tooLargeForProxy({ url }: Credentials, what: string): Failure {
  return new Failure(
    "NOT_REACHABLE",
    `A proxy in front of ${url} refuses ${what} as too large (status 413). Ask the platform's operator to raise its limit to 8 MiB or more (nginx: client_max_body_size), then try again.`,
  );
}

function toProblem({ type, code, detail, issues, version }: z.output<typeof problem>): PlatformProblem {
  const docs = type !== undefined && /^https?:\/\//.test(type) ? type : undefined;
  return new PlatformProblem(code, detail, issues, docs, version);
}

export function unreachable(credentials: Credentials, error: unknown): ConnectionFailure {
  const proxy = findProxy(credentials);
  const further =
    proxy === undefined
      ? ""
      : ` ${proxy.variable} is set, so check the proxy, too, or add the host to NO_PROXY.`;
  const reason = getReason(error);
  if (UNTRUSTED.test(reason))
    return new ConnectionFailure(
      `The certificate of ${credentials.url} is not trusted (${reason}). If it is your organization's own, put the certificate of its authority into a PEM file and name it in NODE_EXTRA_CA_CERTS.`,
    );
  if (credentials.url.startsWith("https:") && PLAIN.test(reason))
    return new ConnectionFailure(
      `${credentials.url} answers without TLS. If the platform is on this machine, use http:// instead of https://. Otherwise, check the port.${further}`,
    );
  return new ConnectionFailure(
    `${credentials.url} can't be reached, or it closed the connection (${reason}). Check that the platform is running there, then try again.${further}`,
  );
}

/** The response, whatever its status. Rejects with a `ConnectionFailure` if there is none. */
export async function send(credentials: Credentials, path: string, options: Options) {
  const headers = {
    accept: "application/json",
    ...options.headers,
    authorization: toAuthorization(credentials),
  };
  const timeouts = { headersTimeout: ANSWER_MS, bodyTimeout: 60_000 };
  try {
    const dispatcher = chooseDispatcher(credentials);
    const response = await request(credentials.url + path, { ...options, ...timeouts, dispatcher, headers });
    return {
      status: response.statusCode,
      headers: response.headers,
      text: await response.body.text(),
    };
  } catch (error) {
    if (options.signal instanceof AbortSignal && options.signal.aborted) throw error;
    // An error of the archive's source, such as a stopped engine, has its own message.
    if (error instanceof Failure) throw error;
    throw unreachable(credentials, error);
  }
}

/** The gateway of the platform whose pages have this address, if they do. Sends no key, and accepts no less safe address. */
export async function findGateway(target: Target): Promise<string | undefined> {
  try {
    const { statusCode, body } = await request(`${target.url}/api/platform`, {
      dispatcher: chooseDispatcher(target),
      headersTimeout: FIND_MS,
      bodyTimeout: FIND_MS,
    });
    const found = platformAddresses.safeParse(parseJson(await body.text()));
    if (statusCode !== 200 || !found.success) return undefined;
    const { origin, protocol } = new URL(found.data.gatewayUrl);
    return target.url.startsWith("https:") && protocol === "http:" ? undefined : origin;
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The login itself says why nothing can be reached.
    return undefined;
  }
}

const FIND_MS = 10_000;

/** Codes of Node's TLS for certificates that no known authority signed. */
const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED)$/;

/** Codes of Node's TLS for a port that speaks something else. */
const PLAIN = /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/;

function getReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Codes of the system, such as ECONNREFUSED, can be searched for. The client's own say less than its messages.
  const hasCode = "code" in error && typeof error.code === "string" && !error.code.startsWith("UND_ERR_");
  return hasCode ? String(error.code) : error.message;
}

type Target = Pick<Credentials, "url" | "proxies">;

/** One for all requests of a command, so that connections are used again. */
const agents = new Map<string, Dispatcher>();

/**
 * Through which proxy a request goes. As with curl, npm and Node, HTTPS uses HTTPS_PROXY alone, and HTTP uses HTTP_PROXY alone.
 * Undefined without a proxy: undici then connects directly.
 */
export function chooseDispatcher(target: Target): Dispatcher | undefined {
  const proxy = findProxy(target);
  if (proxy === undefined) return undefined;
  const url = toProxyUrl(proxy.variable, proxy.value);
  const agent = agents.get(url) ?? createAgent(url);
  agents.set(url, agent);
  return agent;
}

/** The variable that names the proxy to this platform, and its value. Undefined without one, and for exceptions. */
function findProxy({ url, proxies }: Target) {
  if (proxies === undefined) return undefined;
  const { http, https, exceptions } = proxies;
  const chosen = url.startsWith("https:")
    ? { variable: "HTTPS_PROXY", value: https }
    : { variable: "HTTP_PROXY", value: http };
  return chosen.value === "" || isExcepted(url, exceptions) ? undefined : chosen;
}

/**
 * Whether NO_PROXY names the host, as curl reads it: a host with all below it, with or without a port, a range of addresses such as
 * `10.0.0.0/8`, or `*`.
 */
function isExcepted(url: string, exceptions: string): boolean {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*" || isInRange(host, entry)) return true;
      const [, named = entry, itsPort] = /^(.*[^:]):(\d+)$/.exec(entry) ?? [];
      const name = named.replace(/^\[|\]$/g, "").replace(/^\*?\.|\.$/g, "");
      return (
        (itsPort ?? ownPort) === ownPort && (host === name || (isIP(host) === 0 && host.endsWith(`.${name}`)))
      );
    });
}

function isInRange(host: string, entry: string): boolean {
  const [network = "", bits = "", ...rest] = entry.split("/");
  const family = isIP(host);
  if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits) || rest.length > 0) return false;
  const type = family === 4 ? "ipv4" : "ipv6";
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  range.addSubnet(network, Number(bits), type);
  return range.check(host, type);
}

function createAgent(proxy: string): Dispatcher {
  // Undici would use the HTTP proxy for HTTPS, too, and read missing values from the process. So all of them are passed.
  return new EnvHttpProxyAgent({
    httpProxy: proxy,
    httpsProxy: proxy,
    noProxy: "",
    // Many proxies allow CONNECT for port 443 only, so plain HTTP is forwarded.
    proxyTunnel: false,
  });
}

/** The value is not printed: it may contain a password. */
function toProxyUrl(variable: string, value: string): string {
  const url = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new Failure(
    "WRONG_USAGE",
    `${variable} is not the URL of an HTTP proxy. Use a URL such as http://proxy.example:3128.`,
  );
}
