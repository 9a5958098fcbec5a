import type { Issue } from "@/lib/contract/problem";

export const EXIT = { failed: 1, usage: 2, interrupted: 130 } as const;

/** A command that failed: what is wrong, how to fix it, and the exit status. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly issues: readonly Issue[] = [],
    readonly status: number = EXIT.failed,
    /** Commands to run next, one per line. */
    readonly next: readonly string[] = [],
  ) {
    super(message);
    this.name = "Failure";
  }
}

/** One line per issue in the format of editors and CI, `platform-app.json:12:5 message`, with the hint below it. */
export function issueLines(issues: readonly Issue[], file: string): string[] {
  return issues.flatMap(({ line, column, pointer, message, hint, severity }) => {
    const position = line === undefined ? pointer : `${file}:${line}:${column ?? 1}`;
    const text = [
      position,
      severity === undefined || severity === "error" ? "" : `${severity}:`,
      visible(message),
    ]
      .filter((part) => part !== "")
      .join(" ");
    return hint === undefined ? [`  ${text}`] : [`  ${text}`, `      ${visible(hint)}`];
  });
}

/** Texts from servers and manifests must not bring control or direction marks to the terminal. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD");
}
