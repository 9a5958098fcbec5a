import { CommanderError } from "commander";
import { EXIT, exitStatus } from "@/lib/contract/cli-failures";
import { MANIFEST_FILE } from "@/lib/contract/manifest-file";
import { type Issue, Problem } from "@/lib/contract/problem";
import type { Terminal } from "./environment";
import { codeSuffix, describeCode, Failure, issueLines, visible } from "./failure";

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

function toReport(error: unknown): Report {
  if (error instanceof Failure) return toFailureReport(error);
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
