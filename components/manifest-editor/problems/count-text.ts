import type { Issue } from "@/lib/contract/problem";

/** "2 errors, 1 warning"; "No problems" when there are none. */
export function countText(issues: readonly Issue[]): string {
  const warnings = issues.filter(({ severity }) => severity === "warning").length;
  const errors = issues.length - warnings;
  const parts = [countOf(errors, "error"), countOf(warnings, "warning")].filter((part) => part !== "");
  return parts.length === 0 ? "No problems" : parts.join(", ");
}

export function countOf(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some(({ severity }) => severity !== "warning");
}
