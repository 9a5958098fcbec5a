import type { Issue } from "./problem";

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
