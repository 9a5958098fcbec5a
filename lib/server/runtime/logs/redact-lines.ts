/** Removes secrets from lines. Pure. */
import { mergeMarks, replaceMarks, replaceWithin } from "../../platform/redaction/redact-keys";
import type { FindMarks } from "../../platform/redaction/redact-secrets";

interface Line {
  text: string;
  /** How much of the line is missing at its end. */
  cutBytes: number;
}

/** The index of the text that is searched at once takes memory: see `search-forms.ts`. */
const BLOCK_CHARACTERS = 64 * 1024;

/** Shorter secrets are only found as whole texts, such as a line. */
const SHORT = 8;

/**
 * The texts of the lines without secrets, also those that begin in the lines before or end in the lines after them, which are
 * texts without secrets removed.
 */
export function redactLines(
  find: FindMarks,
  before: readonly string[],
  lines: readonly Line[],
  after: readonly string[],
): string[] {
  const whole = lines.map((line) => redactAlone(find, line));
  const all = [...before, ...whole, ...after];
  return divide(whole, before.length).flatMap(([from, to]) => {
    const start = reach(all, from, -1);
    const block = all.slice(start, reach(all, to - 1, 1) + 1);
    const text = block.join("\n");
    const marks = mergeMarks(find(text));
    let at = 0;
    return block.flatMap((line, index) => {
      const begin = at;
      at += line.length + 1;
      const isWanted = start + index >= from && start + index < to;
      return isWanted ? [replaceWithin(text, begin, begin + line.length, marks)] : [];
    });
  });
}

/** What only shows in a line of its own: a short secret, and the beginning of one where the line was cut. */
function redactAlone(find: FindMarks, { text, cutBytes }: Line): string {
  if (cutBytes > 0) return replaceMarks(text, find(text, "end"));
  return text.trim().length < SHORT ? replaceMarks(text, find(text)) : text;
}

/** Ranges of lines, each of about a block's size. */
function divide(lines: readonly string[], offset: number): [number, number][] {
  const ranges: [number, number][] = [];
  let from = 0;
  let size = 0;
  lines.forEach((line, index) => {
    size += line.length;
    if (size < BLOCK_CHARACTERS && index < lines.length - 1) return;
    ranges.push([offset + from, offset + index + 1]);
    from = index + 1;
    size = 0;
  });
  return ranges;
}

/** The last line in a direction that is within a quarter of a block. */
function reach(all: readonly string[], from: number, step: 1 | -1): number {
  let at = from;
  for (let size = 0; size < BLOCK_CHARACTERS / 4 && all[at + step] !== undefined; at += step)
    size += all[at + step]?.length ?? 0;
  return at;
}
