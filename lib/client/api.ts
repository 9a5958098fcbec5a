/** The pages' one way to the route handlers. Every refusal arrives as a `ProblemError` that carries its body. */
import { z } from "zod";
import { Problem, STATUS_OF, type Issue, type ProblemBody, type ProblemCode } from "@/lib/contract/problem";

export class ProblemError extends Error {
  constructor(readonly body: ProblemBody) {
    super(body.detail);
    this.name = "ProblemError";
  }
}

interface CallOptions<Answer extends z.ZodType> {
  body?: unknown;
  /** Shape of the answer; without it the answer is not read. */
  answer?: Answer;
  signal?: AbortSignal;
}

/** What is under way, by all that was sent. */
const underWay = new Map<string, Promise<Response>>();

/**
 * `path` is a path of this origin, such as `/api/listings`. A second press that overtakes the first sends nothing: both
 * get the one answer.
 */
export async function callApi<Answer extends z.ZodType = z.ZodVoid>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  options: CallOptions<Answer> = {},
): Promise<z.output<Answer>> {
  const response = await send(method, path, options.body, options.signal);
  if (!response.ok) throw new ProblemError(await readProblem(response));
  const shape: z.ZodType = options.answer ?? z.void();
  const value = shape.parse(options.answer === undefined ? undefined : await response.json());
  // The shape above is the caller's own, or `void` when there is none, as the default of `Answer` says.
  return value as z.output<Answer>;
}

async function send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  // Handlers take JSON alone, so a mutation without input sends an empty object.
  const json = method === "GET" || method === "DELETE" ? undefined : JSON.stringify(body ?? {});
  const headers = {
    accept: "application/json",
    ...(json === undefined ? {} : { "content-type": "application/json" }),
  };
  const request = { method, headers, body: json, credentials: "same-origin" } as const;
  try {
    // Who may give a call up gets one of its own.
    return await (signal === undefined ? sendOnce(path, request) : fetch(path, { ...request, signal }));
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw problemOf(
      "UNAVAILABLE",
      "The platform cannot be reached. Check your connection, then try again: nothing that you typed is lost.",
    );
  }
}

async function sendOnce(path: string, request: RequestInit): Promise<Response> {
  const key = JSON.stringify([path, request.method, request.body]);
  const sent = underWay.get(key) ?? fetch(path, request);
  underWay.set(key, sent);
  try {
    return (await sent).clone();
  } finally {
    underWay.delete(key);
  }
}

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string(),
  issues: z
    .array(
      z.looseObject({
        code: z.string(),
        pointer: z.string(),
        message: z.string(),
        hint: z.string().optional(),
      }),
    )
    .optional(),
});

async function readProblem(response: Response): Promise<ProblemBody> {
  const parsed = problemShape.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success || !isCode(parsed.data.code)) {
    return new Problem("INTERNAL", `The platform answered ${response.status}. Try again in a moment.`).body();
  }
  return new Problem(parsed.data.code, parsed.data.detail, parsed.data.issues ?? []).body();
}

function isCode(code: string): code is ProblemCode {
  return code in STATUS_OF;
}

function problemOf(code: ProblemCode, detail: string): ProblemError {
  return new ProblemError(new Problem(code, detail).body());
}

/** What to show of anything that a mutation threw. */
export function problemBodyOf(error: unknown): ProblemBody {
  if (error instanceof ProblemError) return error.body;
  return new Problem(
    "INTERNAL",
    "Something broke on this page. Load it again; if it happens again, tell us what you did.",
  ).body();
}

/** `/about/product` → `about.product`, the path by which react-hook-form knows a field. */
export function fieldPathOf(issue: Issue): string {
  return issue.pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".");
}
