import type { Issue } from "@/lib/contract/problem";

export const EXIT = { failed: 1, usage: 2, interrupted: 130 } as const;

/** A command that could not do its work: what is wrong, how to mend it, and the exit status. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly issues: readonly Issue[] = [],
    readonly status: number = EXIT.failed,
    /** What to type next, a line each. */
    readonly next: readonly string[] = [],
  ) {
    super(message);
    this.name = "Failure";
  }
}

/** One line an issue, as editors and CI understand it: `platform-app.json:12:5 message`; the hint below it. */
export function issueLines(issues: readonly Issue[], file: string): string[] {
  return issues.flatMap(({ line, column, pointer, message, hint, severity }) => {
    const place = line === undefined ? pointer : `${file}:${line}:${column ?? 1}`;
    const said = [place, severity === "warning" ? "warning:" : "", visible(message)]
      .filter((part) => part !== "")
      .join(" ");
    return hint === undefined ? [`  ${said}`] : [`  ${said}`, `      ${visible(hint)}`];
  });
}

/** Texts come from a server and a manifest: control and direction marks must not reach the terminal. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\uFFFD");
}
