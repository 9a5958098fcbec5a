/** The publish API of the gateway. Its refusals become `Failure`s with the server's own words. */
import type { Readable } from "node:stream";
import { request, type Dispatcher } from "undici";
import { z } from "zod";
import type { Issue } from "@/lib/contract/problem";
import type { Credentials } from "./credentials";
import { Failure } from "./failure";

const whoamiAnswer = z.object({
  organization: z.object({ slug: z.string(), name: z.string().optional() }),
  apiKey: z.object({ name: z.string() }).optional(),
});

const publishAnswer = z.object({ version: z.string(), imageDigest: z.string(), listingUrl: z.string() });
export type PublishAnswer = z.infer<typeof publishAnswer>;

const problem = z.object({
  code: z.string(),
  detail: z.string(),
  issues: z
    .array(
      z.object({
        code: z.string(),
        pointer: z.string(),
        message: z.string(),
        hint: z.string().optional(),
        severity: z.enum(["error", "warning"]).optional(),
        line: z.number().optional(),
        column: z.number().optional(),
      }),
    )
    .default([]),
});

/** After the upload the server reads every layer of the image: minutes for a large one. */
const ANSWER_MS = 15 * 60_000;
const ASK_AGAIN_MS = 10_000;

export async function whoami(credentials: Credentials, signal?: AbortSignal) {
  return call(credentials, whoamiAnswer, "/publish/v1/whoami", { method: "GET", signal });
}

export async function publishArchive(
  credentials: Credentials,
  name: string,
  version: string,
  archive: Readable,
  signal: AbortSignal,
): Promise<PublishAnswer> {
  const path = `/publish/v1/apps/${name}/versions?version=${encodeURIComponent(version)}`;
  const headers = { "content-type": "application/x-tar" };
  try {
    return await call(credentials, publishAnswer, path, { method: "POST", body: archive, headers, signal });
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const refusal = await askAgain(credentials, path, signal);
    throw refusal ?? error;
  }
}

/**
 * A refusal before the upload is read closes the connection, and its words can be lost under the bytes that are
 * still on their way. The same request without an archive is refused for the same reason, or for being empty.
 */
async function askAgain(
  credentials: Credentials,
  path: string,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const headers = { "content-type": "application/x-tar" };
  const brief = AbortSignal.any([signal, AbortSignal.timeout(ASK_AGAIN_MS)]);
  const answer: unknown = await call(credentials, z.unknown(), path, {
    method: "POST",
    headers,
    signal: brief,
  }).catch((error: unknown) => error);
  return answer instanceof Refusal && answer.code !== "BAD_BUNDLE" ? answer : undefined;
}

class ConnectionFailure extends Failure {}

class Refusal extends Failure {
  constructor(
    readonly code: string,
    detail: string,
    issues: readonly Issue[],
  ) {
    super(detail, issues);
  }
}

type Options = Omit<Dispatcher.RequestOptions, "origin" | "path"> & { headers?: Record<string, string> };

async function call<Shape extends z.ZodType>(
  credentials: Credentials,
  shape: Shape,
  path: string,
  options: Options,
): Promise<z.infer<Shape>> {
  const { url, clientId, apiKey } = credentials;
  const authorization = `Basic ${Buffer.from(`${clientId}:${apiKey}`).toString("base64")}`;
  const headers = { accept: "application/json", ...options.headers, authorization };
  const answer = await send(url + path, {
    ...options,
    headers,
    headersTimeout: ANSWER_MS,
    bodyTimeout: 60_000,
  });
  const parsed = shape.safeParse(answer.body);
  if (answer.status < 300 && parsed.success) return parsed.data;
  const refusal = problem.safeParse(answer.body);
  if (refusal.success) throw new Refusal(refusal.data.code, refusal.data.detail, refusal.data.issues);
  throw new Failure(
    `${url} answered ${answer.status}, but not as the platform does. Check the address (--url, PLATFORM_URL).`,
  );
}

async function send(url: string, options: NonNullable<Parameters<typeof request>[1]>) {
  try {
    const response = await request(url, options);
    const text = await response.body.text();
    return { status: response.statusCode, body: parseJson(text) };
  } catch (error) {
    if (options.signal instanceof AbortSignal && options.signal.aborted) throw error;
    // A fault of the archive's source, such as an engine that went away, speaks for itself.
    if (error instanceof Failure) throw error;
    throw new ConnectionFailure(
      `${new URL(url).origin} cannot be reached, or broke the connection off (${reasonOf(error)}). Check that the platform runs there, then try again.`,
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
