/** How pages call the route handlers. Every problem arrives as a `ProblemError` with its body. */
import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";
import { ORGANIZATION_HEADER } from "@/lib/contract/platform/headers";
import {
  type Issue,
  Problem,
  PROBLEM_STATUS,
  type ProblemBody,
  type ProblemCode,
  splitPointer,
} from "@/lib/contract/platform/problem";
import { shownOrganization } from "./shown-organization";

export class ProblemError extends Error {
  constructor(readonly body: ProblemBody) {
    super(body.detail);
    this.name = "ProblemError";
  }
}

interface CallOptions<Answer> {
  /** Sent as JSON, except for a file. */
  body?: unknown;
  /**
   * Loads the zod shape of the answer; without it the answer is not read. Development and tests check the answer with it. What
   * pages call is built together with them, so in production the type is enough, and zod is larger than most pages.
   */
  answer?: () => Promise<{ parse: (value: unknown) => Answer }>;
  signal?: AbortSignal;
}

/** Responses that are still awaited, by everything that was sent. */
const inProgress = new Map<string, Promise<Response>>();

/**
 * `path` is a path of this origin, such as `/api/listings`. A repeated click sends nothing while the first request is in
 * progress: both get the same answer.
 */
export async function callApi<Answer>(
  method: Method,
  path: string,
  options: CallOptions<Answer> & Required<Pick<CallOptions<Answer>, "answer">>,
): Promise<Answer>;
export async function callApi(method: Method, path: string, options?: CallOptions<never>): Promise<void>;
export async function callApi<Answer>(
  method: Method,
  path: string,
  { body, answer, signal }: CallOptions<Answer> = {},
): Promise<Answer | void> {
  const response = await send(method, path, body, signal);
  if (!response.ok) throw new ProblemError(await readProblem(response, method));
  if (answer === undefined) return;
  const answered: Answer = await response.json();
  // eslint-disable-next-line no-restricted-syntax -- a constant, which Next writes into the pages that it builds
  if (process.env.NODE_ENV !== "production") (await answer()).parse(answered);
  return answered;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function send(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  // Handlers take JSON alone, so a mutation without input sends an empty object.
  const isFile = body instanceof Blob;
  const json = method === "GET" || method === "DELETE" || isFile ? undefined : JSON.stringify(body ?? {});
  const headers = {
    accept: "application/json",
    ...nameShownOrganization(),
    ...(json === undefined ? {} : { "content-type": "application/json" }),
  };
  const request = { method, headers, body: isFile ? body : json, credentials: "same-origin" } as const;
  try {
    // A caller that may cancel gets its own request.
    return await (signal === undefined && !isFile
      ? sendOnce(path, request)
      : fetch(path, { ...request, signal }));
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw createProblem(
      "UNAVAILABLE",
      "The platform cannot be reached. Check your connection and try again. Your input is not lost.",
    );
  }
}

/** So that a switch in another tab can't lead a change astray. */
function nameShownOrganization(): Record<string, string> {
  const shown = shownOrganization();
  return shown ? { [ORGANIZATION_HEADER]: shown } : {};
}

async function sendOnce(path: string, request: RequestInit): Promise<Response> {
  const key = JSON.stringify([path, request.method, request.body]);
  const sent = inProgress.get(key) ?? fetch(path, request);
  inProgress.set(key, sent);
  try {
    return (await sent).clone();
  } finally {
    inProgress.delete(key);
  }
}

/** What a proxy answers for a platform that is away, or too slow. */
const BY_PROXIES = new Set([502, 503, 504]);

async function readProblem(response: Response, method: Method): Promise<ProblemBody> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isProblem(body)) return new Problem(body.code, body.detail, body.issues).body();
  const { status } = response;
  if (!BY_PROXIES.has(status))
    return new Problem("INTERNAL", `The platform returned status ${status}. Try again in a moment.`).body();
  // It may have arrived before the connection was lost. A 503 sends nothing on.
  const outcome =
    method === "GET" || status === 503 ? "" : " This may still take effect: check before you try again.";
  return new Problem(
    "UNAVAILABLE",
    `The platform can't be reached right now. Your input is not lost. Try again in a moment.${outcome}`,
  ).body();
}

/** Only the platform writes `application/problem+json`, so the type distinguishes its answers from those of a proxy. */
function isProblem(value: unknown): value is Pick<ProblemBody, "code" | "detail" | "issues"> {
  if (typeof value !== "object" || value === null || !("code" in value && "detail" in value)) return false;
  const { code, detail } = value;
  const issues = "issues" in value ? value.issues : [];
  return (
    typeof code === "string" &&
    code in PROBLEM_STATUS &&
    typeof detail === "string" &&
    Array.isArray(issues) &&
    issues.every((issue) => typeof issue?.pointer === "string" && typeof issue.message === "string")
  );
}

function createProblem(code: ProblemCode, detail: string): ProblemError {
  return new ProblemError(new Problem(code, detail).body());
}

/** What to show for anything that a mutation threw. */
export function toProblemBody(error: unknown): ProblemBody {
  if (error instanceof ProblemError) return error.body;
  return new Problem("INTERNAL", "Something went wrong on this page. Reload it and try again.").body();
}

/** `/about/product` → `about.product`, the name of the field in react-hook-form. */
export function toFieldPath(issue: Issue): string {
  return splitPointer(issue.pointer).join(".");
}

/** Shows each issue at its form field, if there is one, and focuses the first. */
export function showIssues<Values extends FieldValues>(
  error: unknown,
  values: Values,
  setError: UseFormSetError<Values>,
): void {
  if (!(error instanceof ProblemError)) return;
  for (const [index, issue] of (error.body.issues ?? []).entries()) {
    const path = toFieldPath(issue);
    if (isPath(values, path))
      setError(path, { type: issue.code, message: issue.message }, { shouldFocus: index === 0 });
  }
}

/** The error to show above the form; undefined if every issue is shown at a field. */
export function withoutShownIssues(error: unknown, values: FieldValues): unknown {
  const issues = error instanceof ProblemError ? (error.body.issues ?? []) : [];
  return issues.length > 0 && issues.every((issue) => isPath(values, toFieldPath(issue))) ? undefined : error;
}

function isPath<Values extends FieldValues>(values: Values, path: string): path is FieldPath<Values> {
  let value: unknown = values;
  for (const part of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return false;
    value = Object.entries(value).find(([name]) => name === part)?.[1];
  }
  return path !== "";
}
