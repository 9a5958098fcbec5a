/** Pages of the documentation as blocks: what the site draws, its search finds, and the checks of the documentation read. */

const NOTE_TONES = ["note", "tip", "warning"] as const;
export type NoteTone = (typeof NOTE_TONES)[number];

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
export type GuideBlock = { line: number } & (
  | GuideHeading
  | GuideFence
  | { kind: "note"; tone: NoteTone; markdown: string }
  | { kind: "text"; markdown: string }
);

export interface Guide {
  title: string;
  summary: string;
  blocks: GuideBlock[];
}

const FENCE = /^(`{3,}|~{3,})(.*)$/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const NOTE = /^>\s*\[!(note|tip|warning)\]\s*$/i;

/** Fences, headings and notes count at the start of a line; what is indented belongs to its list. */
export function parseGuide(text: string): Guide {
  const { attributes, body, firstLine } = splitFrontMatter(text);
  const lines = body.split("\n");
  const blocks: GuideBlock[] = [];
  const ids = new Set<string>();
  let paragraph: { line: number; lines: string[] } | undefined;
  const endParagraph = () => {
    const markdown = paragraph?.lines.join("\n").trim() ?? "";
    if (paragraph !== undefined && markdown !== "")
      blocks.push({ kind: "text", line: paragraph.line, markdown });
    paragraph = undefined;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const source = lines[at] ?? "";
    const line = firstLine + at;
    const [, ticks, info] = FENCE.exec(source) ?? [];
    const [, marks, heading] = HEADING.exec(source) ?? [];
    const [, tone] = NOTE.exec(source) ?? [];
    if (ticks !== undefined) {
      endParagraph();
      const end = lines.findIndex((other, index) => index > at && other.trim() === ticks);
      const last = end < 0 ? lines.length : end;
      const code = lines.slice(at + 1, last).join("\n");
      blocks.push({ kind: "fence", line, fence: parseFence(info ?? ""), code });
      at = last;
    } else if (marks !== undefined && heading !== undefined) {
      endParagraph();
      const id = uniqueId(headingId(heading), ids);
      blocks.push({ kind: "heading", line, level: toLevel(marks.length), text: heading, id });
    } else if (tone !== undefined) {
      endParagraph();
      let end = at + 1;
      while (lines[end]?.startsWith(">")) end += 1;
      const markdown = lines
        .slice(at + 1, end)
        .map((quoted) => quoted.replace(/^> ?/, ""))
        .join("\n");
      blocks.push({ kind: "note", line, tone: toTone(tone), markdown });
      at = end - 1;
    } else if (paragraph !== undefined || source.trim() !== "") {
      paragraph ??= { line, lines: [] };
      paragraph.lines.push(source);
    }
  }
  endParagraph();
  return { title: attributes.title ?? "", summary: attributes.summary ?? "", blocks };
}

/** As GitHub makes it; a heading that is only code keeps its letters, so that `/docs/errors#BAD_INPUT` works. */
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
function toLevel(marks: number): 2 | 3 | 4 {
  if (marks <= 2) return 2;
  return marks === 3 ? 3 : 4;
}

function toTone(text: string): NoteTone {
  return NOTE_TONES.find((tone) => tone === text.toLowerCase()) ?? "note";
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
