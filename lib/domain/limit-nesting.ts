/** Deeper than anybody writes. Parsers call themselves for each level: thousands take seconds, or all of the stack. */
const MOST_LEVELS = 12;

/** Of emphasis, in a paragraph. The time that a parser takes grows with their square. */
const MOST_MARKS = 1_000;

/** The start of a quote or of a list's item. */
const MARKER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))/y;

/** Markdown without the quotes, lists, links, pictures and emphasis that begin inside of too many others. */
export function limitNesting(markdown: string): string {
  return limitInline(markdown.replace(/^.*$/gm, limitMarkers));
}

function limitMarkers(line: string): string {
  let kept = 0;
  let end = 0;
  MARKER.lastIndex = 0;
  for (let level = 1; MARKER.test(line); level += 1) {
    end = MARKER.lastIndex;
    if (level <= MOST_LEVELS) kept = end;
  }
  return line.slice(0, kept) + line.slice(end);
}

/** Brackets that were not closed count until the end of their paragraph, and marks of emphasis all of them. */
function limitInline(markdown: string): string {
  let level = 0;
  let marks = 0;
  return markdown.replace(/\\.|\n[ \t]*\n|!?\[|\]|[*_~]+/g, (found) => {
    if (found.startsWith("\\")) return found;
    if (found.startsWith("\n")) {
      level = 0;
      marks = 0;
      return found;
    }
    if (/[*_~]/.test(found)) {
      marks += 1;
      return marks > MOST_MARKS ? "" : found;
    }
    level += found === "]" ? -Math.sign(level) : 1;
    return level > MOST_LEVELS || (found === "]" && level === MOST_LEVELS) ? "" : found;
  });
}
