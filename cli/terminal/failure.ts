import { type CliFailureCode, exitStatus } from "@/lib/contract/cli-failures";
import type { Issue } from "@/lib/contract/problem";

interface FailureDetail {
  issues?: readonly Issue<string>[];
  /** Commands to run next, one per line. */
  next?: readonly string[];
  /** The command's result says it already, so it is not printed as JSON once more. */
  isReported?: boolean;
  /** URL of the code's entry in the documentation. */
  docs?: string;
}

/** A command that failed: what is wrong, and how to fix it. Its code decides the exit status. */
export class Failure extends Error {
  readonly code: string;
  readonly issues: readonly Issue<string>[];
  readonly next: readonly string[];
  readonly isReported: boolean;
  readonly docs: string | undefined;

  constructor(code: CliFailureCode, message: string, detail: FailureDetail = {}) {
    const { issues = [], next = [], isReported = false, docs } = detail;
    super(message);
    this.name = "Failure";
    this.code = code;
    this.issues = issues;
    this.next = next;
    this.isReported = isReported;
    this.docs = docs;
  }

  get status(): number {
    return exitStatus(this.code);
  }
}

/** An error response, with the platform's own code and message. */
export class PlatformProblem extends Failure {
  override readonly code: string;

  constructor(code: string, detail: string, issues: readonly Issue<string>[], docs?: string) {
    super("NOT_REACHABLE", detail, { issues, docs });
    this.code = code;
  }
}

/**
 * One line per issue in the format of editors and CI, `platform-app.json:12:5 message [CODE /pointer]`, with the hint
 * below it.
 */
export function issueLines(issues: readonly Issue<string>[], file: string): string[] {
  return issues.flatMap((issue) => {
    const { line, column, message, hint, severity } = issue;
    const position = line === undefined ? "" : `${file}:${line}:${column ?? 1}`;
    const words = [
      position,
      severity === undefined || severity === "error" ? "" : `${severity}:`,
      visible(message),
    ];
    const text = words.filter((word) => word !== "").join(" ") + codeSuffix([describeCode(issue)]);
    return hint === undefined ? [`  ${text}`] : [`  ${text}`, `      ${visible(hint)}`];
  });
}

/** An issue's code and where it is, for scripts and searches. */
export function describeCode({ code, pointer }: Issue<string>): string {
  return pointer === "" ? code : `${code} ${pointer}`;
}

export function codeSuffix(codes: readonly string[]): string {
  return codes.length === 0 ? "" : ` [${visible(codes.join(", "))}]`;
}

/** Texts from servers and manifests must not bring control or direction marks to the terminal. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD");
}
