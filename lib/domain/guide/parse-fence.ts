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
