/**
 * Undoes what layout and nesting add to an encoded value, so that one form of the value is found at any depth: the NULs
 * of UTF-16, line breaks within base64, separators within hex, and further levels of JSON and URL escaping.
 */
export interface NormalText {
  text: string;
  /** The part of the original text that `start` to `end` of the normal text come from. */
  locate(start: number, end: number): { start: number; end: number };
}

/** Each alternative reads a character a bounded number of times, because texts may be hostile. */
const oneOf = (...alternatives: string[]) => new RegExp(alternatives.join("|"), "g");

const HEX = "[0-9A-Fa-f]{2}";

/** First what separates characters, as it is and in JSON: NULs, and line breaks with the next line's indentation. */
const LAYOUT = oneOf(String.raw`\0+|[\r\n]+[ \t]*`, String.raw`(?<!\\)\\+(?:u0000|[rn])`);

const NESTING = oneOf(
  // \xaa\xbb
  String.raw`\\+x(?=${HEX})`,
  // JSON within JSON doubles backslashes; a URL within a URL escapes the percent sign.
  String.raw`\\{2,}|%(?:25)+(?=${HEX})`,
  // aa:bb, AA-BB and aa bb
  String.raw`(?<=${HEX})[: -](?=${HEX})`,
);

export interface NormalForms {
  /** Without layout; undefined if the text has none. */
  flat?: NormalText;
  /**
   * Without layout and nesting; undefined if the text has no nesting. What looks like nesting may belong to a value, such as
   * the dash of a key with `a1-b2`, so what has a form of its own must be looked for in `flat` too.
   */
  unnested?: NormalText;
}

export function normalizeText(text: string): NormalForms {
  const flat = removeNoise(text, LAYOUT);
  const unnested = removeNoise(flat?.text ?? text, NESTING);
  if (flat === undefined || unnested === undefined) return { flat, unnested };
  const locate = (start: number, end: number) => {
    const place = unnested.locate(start, end);
    return flat.locate(place.start, place.end);
  };
  return { flat, unnested: { text: unnested.text, locate } };
}

/** The same for a text whose positions don't matter. Most forms have no noise, and testing for it is cheaper. */
export function normalize(text: string): string {
  if (!/[\0\r\n\\%: -]/.test(text)) return text;
  return text.replace(LAYOUT, replaceNoise).replace(NESTING, replaceNoise);
}

function replaceNoise(noise: string): string {
  if (noise.startsWith("%")) return "%";
  return noise.endsWith("\\") ? "\\" : "";
}

function removeNoise(text: string, noises: RegExp): NormalText | undefined {
  if (text.search(noises) === -1) return undefined;
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  const kept: string[] = [];
  let size = 0;
  let at = 0;
  const keepUntil = (end: number) => {
    kept.push(text.slice(at, end));
    for (; at < end; at += 1) {
      starts[size] = at;
      ends[size++] = at + 1;
    }
  };
  for (const { 0: noise, index } of text.matchAll(noises)) {
    keepUntil(index);
    at = index + noise.length;
    const replacement = replaceNoise(noise);
    if (replacement === "") continue;
    kept.push(replacement);
    starts[size] = index;
    ends[size++] = at;
  }
  keepUntil(text.length);
  return {
    text: kept.join(""),
    locate: (start, end) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 }),
  };
}
