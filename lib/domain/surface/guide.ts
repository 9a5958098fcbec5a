/** Pages of the documentation as blocks: what the site draws, its search finds, and the checks of the documentation read. */
import { fromMarkdown } from "mdast-util-from-markdown";

export interface GuideHeading {
  kind: "heading";
  level: 2 | 3 | 4;
  /** Markdown without line breaks. */
  text: string;
  id: string;
}

export interface GuideFence {
  kind: "fence";
  fence: Fence;
  code: string;
}

/** `line` starts at 1. */
export type GuideBlock = { line: number } & (GuideHeading | GuideFence | { kind: "text"; markdown: string });

export interface Guide {
  title: string;
  summary: string;
  blocks: GuideBlock[];
}

/** Headings and fences of the page itself. Those in lists and quotes belong to their text. */
export function parseGuide(page: string): Guide {
  const { attributes, body, firstLine } = splitFrontMatter(page);
  const blocks: GuideBlock[] = [];
  const ids = new Set<string>();
  let textStart = 0;
  for (const node of fromMarkdown(body).children) {
    const [from, to] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0];
    const line = firstLine + (node.position?.start.line ?? 1) - 1;
    const last = blocks.at(-1);
    if (node.type === "code") {
      const fence = parseFence([node.lang, node.meta].join(" "));
      blocks.push({ kind: "fence", line, fence, code: node.value });
    } else if (node.type === "heading") {
      const text = body.slice(from, to).replace(/^#+\s+|\s*#*$/g, "");
      blocks.push({
        kind: "heading",
        line,
        level: toLevel(node.depth),
        text,
        id: uniqueId(headingId(text), ids),
      });
    } else if (last?.kind === "text") {
      last.markdown = body.slice(textStart, to);
    } else {
      textStart = from;
      blocks.push({ kind: "text", line, markdown: body.slice(from, to) });
    }
  }
  return { title: attributes.title ?? "", summary: attributes.summary ?? "", blocks };
}

/** As GitHub makes it; a heading that is only code keeps its letters, so that links to `BAD_INPUT` work. */
export function headingId(heading: string): string {
  const code = /^`([^`]+)`$/.exec(heading)?.[1];
  if (code !== undefined) return code.replace(/[^\w.-]+/g, "-");
  return plainText(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]+/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Markdown of one paragraph without its marks. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\\(.)/g, "$1");
}

function uniqueId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let count = 1; taken.has(unique); count += 1) unique = `${id}-${count}`;
  taken.add(unique);
  return unique;
}

/** The page's title is the heading of level 1. */
function toLevel(depth: number): 2 | 3 | 4 {
  if (depth <= 2) return 2;
  return depth === 3 ? 3 : 4;
}

function splitFrontMatter(text: string): {
  attributes: Partial<Record<string, string>>;
  body: string;
  firstLine: number;
} {
  const match = /^---\n([^]*?)\n---\n/.exec(text);
  if (match === null) return { attributes: {}, body: text, firstLine: 1 };
  const pairs = (match[1] ?? "").split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.replace(/^"(.*)"$/, "$1")]];
  });
  const body = text.slice(match[0].length);
  return { attributes: Object.fromEntries(pairs), body, firstLine: match[0].split("\n").length };
}

/** The info string of a code fence: how the code is shown, and how it is checked. */
export interface Fence {
  /** The first word, such as `sh`. Empty without an info string. */
  language: string;
  /** The other words, such as `run`. */
  words: string[];
  /** `name=value` and `name="a value"`. */
  attributes: Readonly<Record<string, string>>;
}

const PART = /([a-z][\w-]*)=(?:"([^"]*)"|(\S*))|(\S+)/gi;

export function parseFence(info: string): Fence {
  const words: string[] = [];
  const attributes: Record<string, string> = {};
  for (const { 1: name, 2: quoted, 3: plain, 4: word } of info.matchAll(PART)) {
    if (name !== undefined) attributes[name] = quoted ?? plain ?? "";
    else if (word !== undefined) words.push(word);
  }
  const [language = "", ...others] = words;
  return { language, words: others, attributes };
}

/** The lines between `region name` and `endregion name` comments, without their common indentation. */
export function readRegion(text: string, region: string): string | undefined {
  const lines = text.split("\n");
  const has = (line: string, marker: string) => line.trimEnd().split(/\s+/).slice(-2).join(" ") === marker;
  const start = lines.findIndex((line) => has(line, `region ${region}`));
  const end = lines.findIndex((line) => has(line, `endregion ${region}`));
  if (start < 0 || end < start) return undefined;
  const inner = lines.slice(start + 1, end);
  const indents = inner
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const common = Math.min(...indents);
  return inner.map((line) => line.slice(common)).join("\n");
}

/** The text of a file without the lines that only mark regions. */
export function withoutRegionMarks(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(\/\/|#)\s*(end)?region \S+\s*$/.test(line))
    .join("\n");
}
