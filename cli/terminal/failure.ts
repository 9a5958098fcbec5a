import { CommanderError } from "commander";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { type Issue, Problem } from "@/lib/contract/platform/problem";
import { type CliFailureCode, EXIT, exitStatus } from "@/lib/contract/surface/cli-failures";
import type { Terminal } from "./environment";

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

  constructor(
    code: string,
    detail: string,
    issues: readonly Issue<string>[],
    docs?: string,
    /** Of VERSION_EXISTS: the version that has the image. */
    readonly version?: string,
  ) {
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
function describeCode({ code, pointer }: Issue<string>): string {
  return pointer === "" ? code : `${code} ${pointer}`;
}

function codeSuffix(codes: readonly string[]): string {
  return codes.length === 0 ? "" : ` [${visible(codes.join(", "))}]`;
}

/** Texts from servers and manifests must not bring control or direction marks to the terminal. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD");
}

interface Report {
  code: string;
  message: string;
  issues: readonly Issue<string>[];
  next: readonly string[];
  /** URL of the code's entry in the documentation: from the platform's answer, or below the web URL of the profile. */
  docs?: string;
}

/** Codes that say nothing that the message doesn't. */
const UNSHOWN = new Set(["WRONG_USAGE", "INTERRUPTED", "CRASHED"]);

/** Says what went wrong, and returns the exit status. @param findHelp the URL of a code's entry in the documentation */
export async function reportFailure(
  error: unknown,
  terminal: Terminal,
  findHelp: (code: string) => Promise<string | undefined>,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  const report = toReport(error);
  if (report.docs === undefined && !UNSHOWN.has(report.code)) report.docs = await findHelp(report.code);
  const isReported = error instanceof Failure && error.isReported;
  if (terminal.json && !isReported) terminal.data({ error: report });
  // Commander has printed its own message.
  else if (!terminal.json && !(error instanceof CommanderError)) printReport(report, terminal);
  return exitStatus(report.code);
}

/** What the system says of a file, when nothing more is known of what the command wanted with it. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "it is not permitted",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is used up",
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "it already exists",
  ENAMETOOLONG: "its name is too long",
  EBUSY: "another program is using it",
};

/** The name under which `replaceFile` writes a file first. */
const TEMPORARY = /\.[0-9a-f]{12}$/;

/** The program's own files are there, so a failed one is the user's. Undefined for any other error. */
function toFileReport(error: unknown): Report | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const [code, path] = [String(error.code), "path" in error ? String(error.path) : undefined];
  if (error.syscall === "uv_cwd")
    return fileReport(
      "The current folder no longer exists. Change to another folder, then run the command again.",
    );
  const fault = FILE_FAULTS[code];
  if (path === undefined || fault === undefined) return undefined;
  return fileReport(
    `${path.replace(TEMPORARY, "")} can't be read or written: ${fault} (${code}). Check the file and the permissions of its folder, or run the command in another folder.`,
  );
}

function fileReport(message: string): Report {
  return { code: "FILE_FAILED", message, issues: [], next: [] };
}

function toReport(error: unknown): Report {
  if (error instanceof Failure) return toFailureReport(error);
  const file = toFileReport(error);
  if (file !== undefined) return file;
  if (error instanceof Problem)
    return { code: error.code, message: error.detail, issues: error.issues, next: [] };
  if (error instanceof CommanderError) return toUsage(error.message.replace(/^error: /, ""));
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "CRASHED", message: `platform-app crashed: ${reason}`, issues: [], next: [] };
}

function toFailureReport({ code, message, issues, next, docs }: Failure): Report {
  return { code, message, issues, next, ...(docs === undefined ? {} : { docs }) };
}

function toUsage(message: string): Report {
  // Without a command, commander shows the help instead of a message.
  const isHelp = message === "(outputHelp)";
  const next = ["platform-app --help"];
  return { code: "WRONG_USAGE", message: isHelp ? "No command was given." : message, issues: [], next };
}

function printReport({ code, message, issues, next, docs }: Report, terminal: Terminal): void {
  if (code === "CRASHED") return terminal.note(message);
  const isFurther = (issue: Issue<string>) => !message.includes(issue.message);
  const included = issues.filter((issue) => !isFurther(issue)).map(describeCode);
  terminal.note(visible(message) + codeSuffix([...(UNSHOWN.has(code) ? [] : [code]), ...included]));
  for (const line of next) terminal.note(`  ${visible(line)}`);
  for (const line of issueLines(issues.filter(isFurther), MANIFEST_FILE)) terminal.note(line);
  if (docs !== undefined) terminal.note(`  Help: ${visible(docs)}`);
}
