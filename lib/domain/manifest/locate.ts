/** From paths and offsets to places that a person finds: JSON pointer, line and column. */
import { pointerTo } from "@/lib/contract/pointer";
import type { Issue } from "@/lib/contract/problem";
import type { Finding, Path } from "./finding";
import { childAt, readContainer, skipSpace, type JsonContainer } from "./json-source";

/** In the order of the text. Findings without an offset are of a text that is JSON. */
export function locate(text: string, findings: readonly Finding[]): Issue[] {
  if (findings.length === 0) return [];
  const starts = lineStarts(text);
  const offsetOf = offsetFinder(text);
  return findings
    .map((finding) => ({ finding, offset: finding.offset ?? offsetOf(finding.path) }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ finding: { code, path, message, hint, severity = "error" }, offset }) => {
      const line = lineAt(starts, offset);
      const column = offset - (starts[line - 1] ?? 0) + 1;
      return {
        code,
        pointer: pointerTo(...path),
        message,
        ...(hint === undefined ? {} : { hint }),
        severity,
        line,
        column,
      };
    });
}

/** Finds where the value at a path starts; of what is missing, the nearest thing around it. Reads each level once. */
function offsetFinder(text: string): (path: Path) => number {
  const containers = new Map<number, JsonContainer | undefined>();
  const containerAt = (offset: number) => {
    if (!containers.has(offset)) containers.set(offset, readContainer(text, offset));
    return containers.get(offset);
  };
  return (path) => {
    let offset = skipSpace(text, 0);
    for (const part of path) {
      const child = childAt(containerAt(offset), part);
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
