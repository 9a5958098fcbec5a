import { type Dispatcher, request } from "undici";
import { z } from "zod";
import { Problem } from "@/lib/contract/platform/problem";

/** The store of images can't be read now. What it contains may be fine. */
export class StoreUnreachable extends Problem {
  constructor(detail: string) {
    super("UNAVAILABLE", detail);
  }
}

// Requests to an OCI registry (distribution API), with basic authentication or its tokens.

export interface RegistryAddress {
  /** Such as `https://registry.example`. */
  origin: string;
  /** Such as `platform/apps`. */
  repository: string;
  /** `<user>:<password>`; empty for none. */
  credentials: string;
}

type Answer = Dispatcher.ResponseData;
type RegistryRequest = Pick<Dispatcher.RequestOptions, "method" | "body" | "signal"> & {
  headers?: Record<string, string>;
};

const WRONG_CREDENTIALS = "it doesn't accept the configured credentials";
const PATIENCE_MS = 60_000;
const MOST_REDIRECTS = 3;
const TOKEN_SCOPES = "pull,push,delete";
const tokenShape = z.object({ token: z.string().optional(), access_token: z.string().optional() });

export interface RegistryClient {
  /** @param target a path below the repository, such as `blobs/sha256:…`, or a URL that the registry gave */
  send(target: string, options: RegistryRequest): Promise<Answer>;
}

interface RegistryAccess {
  /** Makes all connections, also those that the registry redirects to. */
  dispatcher?: Dispatcher;
  scopes?: string;
  /** The longest time without a byte. */
  patienceMs?: number;
  /** The error for what went wrong. By default, it is the operator's registry that failed. */
  fail?: (reason: string, isUnauthorized?: boolean) => Error;
}

export function registryClient(
  { origin, repository, credentials }: RegistryAddress,
  { dispatcher, scopes = TOKEN_SCOPES, patienceMs = PATIENCE_MS, fail = refused }: RegistryAccess = {},
): RegistryClient {
  const basic = credentials === "" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`;
  let authorization = basic;
  const patience = { headersTimeout: patienceMs, bodyTimeout: patienceMs };

  async function send(target: string, options: RegistryRequest): Promise<Answer> {
    const url = new URL(target, `${origin}/v2/${repository}/`);
    const first = await attempt(url, options);
    // A body can be sent once. What has one follows a request without one, which got the token.
    if (first.statusCode !== 401 || (options.body ?? null) !== null) return first;
    const challenge = first.headers["www-authenticate"];
    await first.body.dump();
    authorization = await authorize(String(challenge ?? ""));
    return attempt(url, options);
  }

  async function attempt(url: URL, options: RegistryRequest, redirects = 0): Promise<Answer> {
    // Storage that the registry redirects to has its own signature in the URL.
    const isOwn = url.origin === origin;
    const headers = { ...options.headers, ...(isOwn && authorization !== undefined && { authorization }) };
    const sent = { ...options, ...patience, headers, ...(dispatcher !== undefined && { dispatcher }) };
    const answer = await request(url, sent).catch((error: unknown) => {
      throw explain(error, fail);
    });
    const { location } = answer.headers;
    const isRedirect = [301, 302, 307, 308].includes(answer.statusCode) && typeof location === "string";
    if (!isRedirect || options.method !== "GET" || redirects >= MOST_REDIRECTS) return answer;
    await answer.body.dump();
    return attempt(new URL(location, url), options, redirects + 1);
  }

  /** @see https://distribution.github.io/distribution/spec/auth/token/ */
  async function authorize(challenge: string): Promise<string> {
    const realm = /^bearer .*realm="([^"]+)"/i.exec(challenge)?.[1];
    if (realm === undefined) throw fail(WRONG_CREDENTIALS, true);
    const url = new URL(realm);
    if (basic !== undefined && url.protocol !== "https:" && origin.startsWith("https:"))
      throw fail("it asks for the credentials to be sent without TLS");
    const service = /service="([^"]*)"/i.exec(challenge)?.[1];
    if (service !== undefined) url.searchParams.set("service", service);
    url.searchParams.set("scope", `repository:${repository}:${scopes}`);
    const headers = basic === undefined ? {} : { authorization: basic };
    const sent = { ...patience, headers, ...(dispatcher !== undefined && { dispatcher }) };
    const readAnswer = async () => {
      const { statusCode, body } = await request(url, sent);
      return statusCode === 200 ? tokenShape.safeParse(await body.json()).data : undefined;
    };
    const found = await readAnswer().catch((error: unknown) => {
      throw explain(error, fail);
    });
    const token = found?.token ?? found?.access_token;
    if (token === undefined) throw fail(WRONG_CREDENTIALS, true);
    return `Bearer ${token}`;
  }

  return { send };
}

/** A connection that breaks while an answer is read is the registry's failure too. */
export async function* readBody(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk;
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown, fail: (reason: string) => Error = refused): unknown {
  // Errors of the content that is sent, such as a wrong digest, say more themselves.
  if (!(error instanceof Error) || !("code" in error)) return error;
  return fail(`it can't be reached (${String(error.code)})`);
}

/** What the operator must know, without addresses or credentials. */
export function refused(reason: string): StoreUnreachable {
  return new StoreUnreachable(
    `The platform's image registry failed: ${reason}. Try again later, or contact the platform's operator.`,
  );
}
