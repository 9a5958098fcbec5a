/** From paths and offsets to places that a person finds: JSON pointer, line and column. */
import { findNodeAtLocation, type Node } from "jsonc-parser";
import type { Issue } from "@/lib/contract/problem";
import type { Finding, Path } from "./finding";

export function locate(text: string, tree: Node | undefined, findings: readonly Finding[]): Issue[] {
  const starts = lineStarts(text);
  return findings
    .map((finding) => ({ finding, offset: finding.offset ?? offsetOf(tree, finding.path) }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ finding: { code, path, message, hint, severity = "error" }, offset }) => {
      const line = lineAt(starts, offset);
      const column = offset - (starts[line - 1] ?? 0) + 1;
      return {
        code,
        pointer: pointerOf(path),
        message,
        ...(hint === undefined ? {} : { hint }),
        severity,
        line,
        column,
      };
    });
}

/** RFC 6901. */
export function pointerOf(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Of what is missing: the place of the nearest thing around it. */
function offsetOf(tree: Node | undefined, path: Path): number {
  for (let length = path.length; tree !== undefined && length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, path.slice(0, length));
    if (node !== undefined) return node.offset;
  }
  return 0;
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
