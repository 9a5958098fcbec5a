/** The first words of a publisher's Markdown as plain text: what a reader sees on the listing's page, without its markup. */

/** More than a summary needs, and little enough for any pattern here. */
const READ = 4_000;

export function summarizeMarkdown(markdown: string, characters = 240): string {
  const text = decodeEntities(stripInline(stripBlocks(stripElements(markdown.slice(0, READ)))))
    .replace(/\s+/g, " ")
    .replace(/ ([.,;:!?])/g, "$1")
    .trim();
  if (text.length <= characters) return text;
  const cut = text.slice(0, characters);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), characters / 2)).trimEnd()}…`;
}

/** Comments and elements whose content is not text, also those that are never closed. */
function stripElements(markdown: string): string {
  return markdown
    .replace(/<!--[^]*?(?:-->|$)/g, " ")
    .replace(/<(script|style|template|noscript|iframe|svg|math|object)\b[^]*?(?:<\/\1\s*>|$)/gi, " ");
}

/** Lines that only draw: fences with their code, rules, and the line under a table's head. Marks at the start of a line. */
function stripBlocks(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark.slice(0, 3) : undefined;
      continue;
    }
    const drawsOnly = /^[\s|:=*_-]*$/.test(line) || /^ {0,3}\[[^\]]+\]:/.test(line);
    if (fence === undefined && !drawsOnly)
      lines.push(
        line.replace(/^(?:\s*(?:>|#{1,6}(?=\s)|[-+*](?=\s)|\d{1,9}[.)](?=\s)))*\s*(?:\[[ xX]\]\s)?/, ""),
      );
  }
  return lines.join("\n");
}

function stripInline(text: string): string {
  return text
    .replace(/<((?:https?|mailto):[^<>\s]*)>/gi, "$1")
    .replace(/<\/?[a-z][^<>]*(?:>|$)/gim, " ")
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, "$1")
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, "$1")
    .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/\\([!-/:-@[-`{-~])|[*`|]|~~/g, (_mark, escaped?: string) => escaped ?? " ");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_entity, name: string) => ENTITIES[name] ?? "'");
}

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
