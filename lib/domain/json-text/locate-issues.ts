/** Adds line and column to issues, from their JSON pointers or offsets. */
import { splitPointer } from "@/lib/contract/pointer";
import type { Issue } from "@/lib/contract/problem";
import { childAt, readContainer, skipSpace, type JsonContainer } from "./json-source";

/** An issue whose position in the text is not known yet. */
export interface FoundIssue extends Issue {
  /** Set where the pointer does not lead to the position, as in broken JSON or at duplicate keys. */
  offset?: number;
}

/** Sorted by position. The text must be valid JSON unless every issue has an offset. */
export function locateIssues(text: string, issues: readonly FoundIssue[]): Issue[] {
  if (issues.length === 0) return [];
  const starts = lineStarts(text);
  const findOffset = offsetFinder(text);
  return issues
    .map((issue) => ({ issue, offset: issue.offset ?? findOffset(issue.pointer) }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ issue: { code, pointer, message, hint, severity = "error" }, offset }) => {
      const line = lineAt(starts, offset);
      const column = offset - (starts[line - 1] ?? 0) + 1;
      return { code, pointer, message, ...(hint === undefined ? {} : { hint }), severity, line, column };
    });
}

/** Finds where the value at a pointer starts, or its nearest parent if it is missing. Reads each level once. */
function offsetFinder(text: string): (pointer: string) => number {
  const containers = new Map<number, JsonContainer | undefined>();
  const containerAt = (offset: number) => {
    if (!containers.has(offset)) containers.set(offset, readContainer(text, offset));
    return containers.get(offset);
  };
  return (pointer) => {
    let offset = skipSpace(text, 0);
    for (const part of splitPointer(pointer)) {
      const container = containerAt(offset);
      const child = childAt(container, container?.kind === "array" ? Number(part) : part);
      if (child === undefined) break;
      offset = child.start;
    }
    return offset;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
