/** Requests to a cluster's API server. Each has a deadline, so that a server that hangs delays nothing else. */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, request } from "undici";
import { z } from "zod";
import { Problem } from "@/lib/contract/platform/problem";
import { InstanceFailure, quoteMessage } from "../engines/runtime";
import { type Access, type AccessSettings, readAccess } from "./access";

/** One manager of all fields, so that applying an object again takes back what it no longer has. */
export const FIELD_MANAGER = "app-hosting-platform";

const DEADLINE_MS = 10_000;
const CONNECT_MS = 5_000;
const TOKEN_MS = 60_000;
const LONGEST_RETRY_MS = 5_000;
const RETRY_MS = 250;
const MOST_TRIES = 4;
/** Of an error's text. */
const ERROR_BYTES = 16 * 1024;

export interface ClusterRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Such as `/api/v1/namespaces/apps/pods`. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  contentType?: string;
}

export interface Cluster {
  /** The answer's JSON. Throws a `ClusterError` or a `ClusterUnreachable`. */
  send(request: ClusterRequest, deadlineMs?: number): Promise<unknown>;
  /** Creates the object, or changes it to be as given. */
  apply(path: string, object: { metadata: { name: string } }): Promise<unknown>;
  /** The answer as it comes. @param idleMs the longest time without a byte; 0: any */
  stream(request: ClusterRequest, idleMs: number, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  close(): Promise<void>;
}

/** The API server refused. */
export class ClusterError extends Error {
  constructor(
    readonly status: number,
    /** Such as `AlreadyExists`. */
    readonly reason: string,
    message: string,
    /** How long the server asks to wait. */
    readonly retryMs = 0,
  ) {
    super(message);
  }
}

/** Nothing answered, or not in time, or for so long that what is known says nothing anymore. */
export class ClusterUnreachable extends Error {}

export function isClusterStatus(error: unknown, ...statuses: number[]): error is ClusterError {
  return error instanceof ClusterError && statuses.includes(error.status);
}

const statusShape = z.object({ reason: z.string().default(""), message: z.string().default("") });

interface Connection extends Access {
  agent: Agent;
}

/** Connects at the first request. */
export function connectCluster(settings: AccessSettings): Cluster {
  let connecting: Promise<Connection> | undefined;
  let token: { value: string | undefined; readAt: number } | undefined;

  /** Credentials that can't be read are looked for again. */
  function connect(): Promise<Connection> {
    connecting ??= readAccess(settings)
      .then((access) => ({
        ...access,
        agent: new Agent({ connect: { ...access.tls, timeout: CONNECT_MS } }),
      }))
      .catch((error: unknown) => {
        connecting = undefined;
        throw error;
      });
    return connecting;
  }

  /** Tokens of service accounts are replaced in their file while they are used. */
  async function authorize({ readToken }: Connection): Promise<Record<string, string>> {
    if (token === undefined || performance.now() - token.readAt > TOKEN_MS)
      token = { value: await readToken(), readAt: performance.now() };
    return token.value === undefined ? {} : { authorization: `Bearer ${token.value}` };
  }

  async function open(
    { method = "GET", path, query = {}, body, contentType = "application/json" }: ClusterRequest,
    options: Pick<Dispatcher.RequestOptions, "signal" | "headersTimeout" | "bodyTimeout">,
  ): Promise<Dispatcher.ResponseData> {
    try {
      const connection = await connect();
      const headers = { accept: "application/json", ...(await authorize(connection)) };
      const content = body === undefined ? {} : { "content-type": contentType };
      return await request(connection.server.replace(/\/$/, "") + path, {
        method,
        query,
        dispatcher: connection.agent,
        headers: { ...headers, ...content },
        body: body === undefined ? undefined : JSON.stringify(body),
        ...options,
      });
    } catch (error) {
      throw new ClusterUnreachable(describeFailure(error), { cause: error });
    }
  }

  async function send(order: ClusterRequest, deadlineMs = DEADLINE_MS): Promise<unknown> {
    const until = performance.now() + deadlineMs;
    const signal = AbortSignal.timeout(deadlineMs);
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === MOST_TRIES;
      try {
        const answer = await open(order, { signal });
        const retryMs = findRetry(answer);
        if (retryMs !== undefined && !isLast && performance.now() + retryMs < until) {
          await answer.body.dump();
          await sleep(retryMs);
          continue;
        }
        if (answer.statusCode >= 400) throw await readError(answer);
        return await answer.body.json();
      } catch (error) {
        if (error instanceof ClusterError) throw error;
        // A kept connection ends when the server restarts. Every request may be sent twice.
        if (isLast || performance.now() + RETRY_MS >= until)
          throw error instanceof ClusterUnreachable
            ? error
            : new ClusterUnreachable(describeFailure(error), { cause: error });
        await sleep(RETRY_MS);
      }
    }
  }

  return {
    send,
    apply: (path, object) =>
      send({
        method: "PATCH",
        path: `${path}/${object.metadata.name}`,
        query: { fieldManager: FIELD_MANAGER, force: "true" },
        contentType: "application/apply-patch+yaml",
        body: object,
      }),
    stream: async (order, idleMs, signal) => {
      const answer = await open(order, { signal, headersTimeout: DEADLINE_MS, bodyTimeout: idleMs });
      if (answer.statusCode >= 400) throw await readError(answer);
      return answer.body;
    },
    close: async () => {
      const open = await connecting?.catch(() => undefined);
      connecting = undefined;
      await open?.agent.destroy();
    },
  };
}

/** How long to wait if the server asks for it: it has too much to do, or is about to be replaced. */
function findRetry({ statusCode, headers }: Dispatcher.ResponseData): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) return undefined;
  const seconds = Number(headers["retry-after"]);
  // An eviction that a budget refuses is a 429 without a time.
  if (!Number.isFinite(seconds)) return statusCode === 503 ? RETRY_MS : undefined;
  return Math.min(LONGEST_RETRY_MS, Math.max(RETRY_MS, seconds * 1_000));
}

async function readError(answer: Dispatcher.ResponseData): Promise<ClusterError> {
  const { statusCode, body } = answer;
  const text = (await body.text().catch(() => "")).slice(0, ERROR_BYTES);
  const parsed = statusShape.safeParse(parseJson(text));
  const { reason, message } = parsed.success ? parsed.data : { reason: "", message: "" };
  const said = message || text.trim() || `HTTP status ${statusCode}`;
  return new ClusterError(statusCode, reason, said, findRetry(answer));
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no response in time";
  // A name with several addresses fails with one error for each.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : error.message;
}

/** Turns errors of the API server into reasons. None of them is the app's fault. */
export async function explainErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw explainError(error);
  }
}

function explainError(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof ClusterUnreachable)
    return new InstanceFailure(
      "CLUSTER_UNREACHABLE",
      `The cluster's API server does not respond (${quoteMessage(error.message)}). Running apps keep running. Check the API server, and the worker's KUBECONFIG or service account.`,
    );
  if (!(error instanceof ClusterError)) return error;
  const { status } = error;
  const message = quoteMessage(error.message);
  if (status === 403 && /exceeded quota/i.test(message))
    return new InstanceFailure(
      "CLUSTER_QUOTA",
      `The namespace's quota doesn't allow another app: ${message}. Raise its ResourceQuota.`,
    );
  if (status === 401 || (status === 403 && /\bcannot\b/.test(message)))
    return new InstanceFailure(
      "CLUSTER_FAILED",
      `The worker's account is not allowed to do this in the cluster: ${message}. Apply the Role of docs/kubernetes.md.`,
    );
  return new InstanceFailure("CLUSTER_FAILED", `The cluster refused the app: ${message}.`);
}
