import { type DecodedText, decodeText } from "./decode-text";

/** The text with `[state key]` and `[token]` in place of every state key and JWT. For texts without a customer's secrets. */
export function redactKeys(text: string): string {
  return replaceMarks(text, findKeys(text, decodeText(text)));
}

// Finds state keys and JWTs, such as the tokens for the core, by their form, because writers and readers of a log cannot know them
// all. Searches raw text, URL and JSON escapes, base64 (also wrapped) and hex (also with separators), each also of UTF-16.

/** A character of base64url; `_`, `-` and `.` may be escaped. */
const ESCAPE = String.raw`(?:%|\\u00)`;
const WORD = String.raw`(?:[\w-]|${ESCAPE}(?:2[Dd]|5[Ff]))`;
const DOT = String.raw`(?:\.|${ESCAPE}2[Ee])`;

/** All repetitions have a bound: texts may be hostile, and consist only of starts. */
const KEY_LENGTH = 128;
const JWT_PARTS = [300, 4_000, 1_000] as const;

/** Any part of a key that is long enough to be worth anything, because a log may cut it. */
const LOOSE = {
  key: new RegExp(String.raw`psk(?:_|${ESCAPE}5[Ff])${WORD}{16,${2 * KEY_LENGTH}}`, "g"),
  token: new RegExp(
    String.raw`eyJ${WORD}{10,${JWT_PARTS[0]}}${DOT}eyJ${WORD}{10,${JWT_PARTS[1]}}(?:${DOT}${WORD}{0,${JWT_PARTS[2]}})?`,
    "g",
  ),
};

/** Of exact length, where words that follow may be attached. In decoded UTF-16, every other character is NUL. */
const STRICT = {
  key: new RegExp(String.raw`p\0?s\0?k\0?(?:_|${ESCAPE}5[Ff])\0?(?:${WORD}\0?){${KEY_LENGTH}}`, "g"),
  token: new RegExp(
    String.raw`e\0?y\0?J\0?(?:${WORD}\0?){10,${JWT_PARTS[0]}}${DOT}\0?e\0?y\0?J\0?(?:${WORD}\0?){10,${JWT_PARTS[1]}}${DOT}\0?(?:${WORD}\0?){86}`,
    "g",
  ),
};

const MARKS = { key: "[state key]", token: "[token]" };

/** No shorter run contains a whole key. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{174,}/g;
const HEX_RUN = /[0-9A-Fa-f]{262,}/g;

/** `decoded`: the same text without escapes, unless there is nothing to decode. */
export function findKeys(text: string, decoded: DecodedText | undefined): Mark[] {
  const pairs = joinHexPairs(decoded?.text ?? text);
  const joined =
    pairs && findEncoded(pairs.text, HEX_RUN, "hex", 2, 0.5).map((mark) => locateIn(mark, pairs));
  const encoded = [...findAllEncoded(decoded?.text ?? text), ...(joined ?? [])];
  const loose = match(text, LOOSE);
  if (decoded === undefined) return [...loose, ...encoded];
  const whole = [...match(decoded.text, STRICT), ...encoded];
  return [...loose, ...whole.map((mark) => locateIn(mark, decoded))];
}

function locateIn(mark: Mark, { locate }: HexText): Mark {
  const { start, end } = locate(mark.start, mark.end);
  return { start, end, mark: mark.mark };
}

interface HexText {
  text: string;
  locate(start: number, end: number): { start: number; end: number };
}

/** Hex with separators: aa:bb, AA-BB and aa bb. */
const HEX_PAIRS = /[\dA-Fa-f]{2}[: -](?:[\dA-Fa-f]{2}[: -]?){5,}/g;

/** The text without the separators of hex; undefined if it has none. */
export function joinHexPairs(source: string): HexText | undefined {
  const kept: string[] = [];
  /** Where each separator was, in the text without them. */
  const removed: number[] = [];
  let at = 0;
  for (const { 0: pairs, index } of source.matchAll(HEX_PAIRS))
    for (let next = index; next < index + pairs.length; next += 1)
      if (": -".includes(source.charAt(next)) && next < index + pairs.length - 1) {
        kept.push(source.slice(at, next));
        removed.push(next - removed.length);
        at = next + 1;
      }
  if (removed.length === 0) return undefined;
  return {
    text: kept.join("") + source.slice(at),
    locate: (start, end) => ({
      start: start + countUntil(removed, start),
      end: end + countUntil(removed, end - 1),
    }),
  };
}

/** How many of the sorted numbers are at most `limit`. */
function countUntil(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function findAllEncoded(text: string): Mark[] {
  return [...findEncoded(text, BASE64_RUN, "base64", 4, 0.75), ...findEncoded(text, HEX_RUN, "hex", 2, 0.5)];
}

function match(text: string, forms: typeof LOOSE): Mark[] {
  return (["key", "token"] as const).flatMap((kind) =>
    [...text.matchAll(forms[kind])].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      mark: MARKS[kind],
    })),
  );
}

/** Nobody knows where in a run a key starts, so the run is decoded from each possible alignment. */
function findEncoded(
  text: string,
  runs: RegExp,
  encoding: "base64" | "hex",
  alignments: number,
  bytesPerCharacter: number,
): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: run, index } of text.matchAll(runs)) {
    for (let skipped = 0; skipped < alignments; skipped += 1) {
      const decoded = Buffer.from(run.slice(skipped), encoding).toString("latin1");
      const first = index + skipped;
      for (const { start, end, mark } of match(decoded, STRICT))
        marks.push({
          start: first + Math.floor(start / bytesPerCharacter),
          end: Math.min(first + Math.ceil(end / bytesPerCharacter), index + run.length),
          mark,
        });
    }
  }
  return marks;
}

/** A part of a text that must not be stored or shown, and what takes its place. */
export interface Mark {
  start: number;
  end: number;
  mark: string;
}

/** The text with each mark in place of its part. */
export function replaceMarks(text: string, marks: Mark[]): string {
  if (marks.length === 0) return text;
  return replaceWithin(text, 0, text.length, mergeMarks(marks));
}

/** The part of a text from `start` to `end`. A mark that is only partly inside replaces that part. */
export function replaceWithin(text: string, start: number, end: number, merged: readonly Mark[]): string {
  let at = start;
  const pieces = merged
    .filter((mark) => mark.start < end && mark.end > start)
    .map((mark) => {
      const piece = text.slice(at, Math.max(at, mark.start)) + mark.mark;
      at = Math.min(mark.end, end);
      return piece;
    });
  return pieces.join("") + text.slice(at, end);
}

/** In order. Overlapping parts become one, with the mark of the longest. */
export function mergeMarks(marks: Mark[]): Mark[] {
  const merged: (Mark & { longest: number })[] = [];
  for (const mark of marks.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    const length = mark.end - mark.start;
    if (last === undefined || mark.start >= last.end) {
      merged.push({ ...mark, longest: length });
      continue;
    }
    last.end = Math.max(last.end, mark.end);
    if (length > last.longest) Object.assign(last, { longest: length, mark: mark.mark });
  }
  return merged;
}
