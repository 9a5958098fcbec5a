import type { z } from "zod";
import type { DocsSlug } from "./docs-pages";
import type { IssueCode } from "./issue-codes";

/** Each refusal has a stable code; a code without a status cannot exist. */
export const PROBLEM_STATUS = {
  BAD_INPUT: 400,
  BAD_MANIFEST: 400,
  BAD_BUNDLE: 400,
  BAD_PATH: 400,
  OPERATION_NOT_DECLARED: 400,
  NOT_SIGNED_IN: 401,
  WRONG_CREDENTIALS: 401,
  SECOND_FACTOR_NEEDED: 401,
  WRONG_CODE: 401,
  NOT_ALLOWED: 403,
  NOT_A_MEMBER: 403,
  WRONG_ORIGIN: 403,
  QUOTA_EXCEEDED: 403,
  NOT_FOUND: 404,
  WRONG_METHOD: 405,
  TOO_SLOW: 408,
  EVENT_ID_REUSED: 409,
  NAME_TAKEN: 409,
  ORGANIZATION_CHANGED: 409,
  STALE_REVISION: 409,
  TERMS_CHANGED: 409,
  VERSION_EXISTS: 409,
  WRONG_STATE: 409,
  TOO_LARGE: 413,
  WRONG_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  APP_FAILED: 502,
  CORE_FAILED: 502,
  REGISTRY_FAILED: 502,
  APP_BUSY: 503,
  APP_NOT_RUNNING: 503,
  OVERLOADED: 503,
  DATABASE_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
  APP_TIMED_OUT: 504,
  STORAGE_FULL: 507,
} as const;

export type ProblemCode = keyof typeof PROBLEM_STATUS;

export const SEVERITIES = ["error", "warning", "hint"] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * One thing that is wrong in an input: where (JSON pointer; line and column start at 1), what, and how to fix it.
 * An issue from another release of the platform may have any code: `Issue<string>`.
 */
export interface Issue<Code extends string = IssueCode> {
  code: Code;
  pointer: string;
  message: string;
  hint?: string;
  /** An error without it. A hint needs no change. */
  severity?: Severity;
  line?: number;
  column?: number;
}

export function isError({ severity = "error" }: Pick<Issue, "severity">): boolean {
  return severity === "error";
}

/** The body of every refusal, as `application/problem+json` (RFC 9457). */
export interface ProblemBody<Code extends string = IssueCode> {
  /** The URL of the code's entry in the documentation. */
  type: string;
  title: string;
  status: number;
  code: ProblemCode;
  detail: string;
  issues?: Issue<Code>[];
  /** Of VERSION_EXISTS: the version that has the image. */
  version?: string;
}

const TITLES: Partial<Record<ProblemCode, string>> = {
  NOT_FOUND: "Not found",
  WRONG_STATE: "Not possible now",
  TERMS_CHANGED: "The publisher changed its terms",
  ORGANIZATION_CHANGED: "You switched organizations",
  NOT_A_MEMBER: "You are not a member",
  INTERNAL: "Something went wrong on our side",
  CORE_FAILED: "The core could not be read",
  REGISTRY_FAILED: "The image could not be read from its registry",
  APP_FAILED: "The app failed",
  APP_TIMED_OUT: "The app did not respond in time",
  APP_BUSY: "The app is busy",
  APP_NOT_RUNNING: "The app is not running",
  DATABASE_UNAVAILABLE: "The database is unavailable",
  OVERLOADED: "The platform is busy",
  UNAVAILABLE: "Not available right now",
};

/** An expected error. `detail` is shown to users: it says what is wrong and how to fix it. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly detail: string = "This does not exist, or you do not have access to it.",
    readonly issues: Issue[] = [],
    /** When trying again is likely to succeed. Only for refusals with the status 429 or 503. */
    readonly retryAfterSeconds?: number,
    /** Of WRONG_METHOD: the methods that the URL has. */
    readonly allowed: readonly string[] = [],
    /** Of VERSION_EXISTS: the version that has the image already. */
    readonly version?: string,
  ) {
    super(`${code}: ${detail}`);
    this.name = "Problem";
  }

  get status(): number {
    return PROBLEM_STATUS[this.code];
  }

  /** @param webUrl of the platform, whose documentation has an entry for each code. Pages leave it out: theirs is relative. */
  body(webUrl = ""): ProblemBody {
    const { code, detail, status, issues, version } = this;
    const title = TITLES[code] ?? toSentence(code);
    const body = {
      type: webUrl.replace(/\/$/, "") + errorPath(code),
      title,
      status,
      code,
      detail,
      ...(version === undefined ? {} : { version }),
    };
    return issues.length > 0 ? { ...body, issues } : body;
  }
}

/** The response names the methods in `Allow`, as HTTP requires. */
export function wrongMethod(allowed: readonly string[], detail: string): Problem {
  return new Problem("WRONG_METHOD", detail, [], undefined, allowed);
}

function toSentence(code: ProblemCode): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Its own file, so that pages can link errors without loading the lists. */
const PAGE: DocsSlug = "errors";

/** Leads to the entry of a code (one of error-codes.ts) in the documentation, below the platform's web URL. */
export function errorPath(code: string): string {
  return `/docs/${PAGE}/${code}`;
}

/** JSON pointer (RFC 6901) from its parts. */
export function pointerTo(...parts: readonly PropertyKey[]): string {
  return parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The parts of a JSON pointer; list indexes are text too. */
export function splitPointer(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The issues at a pointer and below it. */
export function within(issues: readonly Issue[], pointer: string): Issue[] {
  return issues.filter((issue) => issue.pointer === pointer || issue.pointer.startsWith(`${pointer}/`));
}

/** How deep objects and lists may be nested in a request, because schemas check them recursively. */
export const JSON_DEPTH = 64;

/** Undefined if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The value of a payload: JSON that a core, an app or a person sent, and that is passed on as it was sent. A byte order mark before it
 * is ignored, as RFC 8259 allows and most readers do. Undefined if it is not valid JSON.
 */
export function parsePayload(text: string): unknown {
  return parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
}

/** Parses and checks a request body. Throws `BAD_INPUT` with every issue. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  const value = parsePayload(text);
  if (value === undefined) throw new Problem("BAD_INPUT", "The request body is not valid JSON.");
  if (!isShallow(value)) {
    const detail = `The request body is nested more than ${JSON_DEPTH} levels deep. Send flatter JSON.`;
    throw new Problem("BAD_INPUT", detail);
  }
  return checkInput(schema, value);
}

/** Checks a value that is not JSON text. Throws `BAD_INPUT` with every issue. */
export function checkInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, path, message }) => ({
    code,
    pointer: pointerTo(...path),
    message,
  }));
  throw new Problem("BAD_INPUT", "Some fields are not valid. Fix them and try again.", issues);
}

/** Level by level, so that no depth overflows the stack. */
export function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > JSON_DEPTH) return false;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return true;
}

const TYPE_NOUNS: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

const FORMAT_NOUNS: Record<string, string> = {
  datetime: "an ISO 8601 time, such as 2026-01-31T12:00:00Z",
  email: "an email address",
  url: "a URL",
  uuid: "a UUID",
};

/** Messages for what a shape does not describe itself, so that zod's own text never reaches users. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "This field is required.";
      return `This must be ${TYPE_NOUNS[issue.expected] ?? issue.expected}.`;
    case "unrecognized_keys":
      return `Remove the unknown fields: ${issue.keys.map((key) => key.slice(0, 80)).join(", ")}.`;
    case "invalid_value":
      return `Use one of these values: ${issue.values.map(String).join(", ")}.`;
    case "too_big":
      return `The maximum is ${issue.maximum}.`;
    case "too_small":
      return `This must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}.`;
    case "invalid_format":
      return `This must be ${FORMAT_NOUNS[issue.format] ?? "in the expected format"}.`;
    default:
      return "This value is not allowed.";
  }
}
