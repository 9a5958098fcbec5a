/**
 * Offset of the first bracket that opens a level deeper than `limit`; undefined when there is none.
 * A scan, not a parse: parsers recurse, and a manifest of 10,000 levels must not reach one.
 */
export function tooDeepAt(text: string, limit: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at += 1;
      else if (character === '"' || character === "\n") quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") {
      depth += 1;
      if (depth > limit) return at;
    } else if (character === "}" || character === "]") depth -= 1;
  }
  return undefined;
}
