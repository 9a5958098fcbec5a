/** How many columns of a terminal a text takes. */

const SEGMENTER = new Intl.Segmenter("en", { granularity: "grapheme" });
const WIDE =
  /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}])/u;
const MARK_ONLY = /^[\p{Mark}\u200B-\u200D\uFE0F]+$/u;

interface Cell {
  /** What is printed. */
  text: string;
  columns: number;
  /** Where it starts in the text, in UTF-16 units. */
  at: number;
}

/** The characters as a reader sees them, with a tab as two blanks. */
export function toCells(text: string): Cell[] {
  return [...SEGMENTER.segment(text)].map(({ segment, index: at }) => {
    if (segment === "\t") return { text: "  ", columns: 2, at };
    if (MARK_ONLY.test(segment)) return { text: segment, columns: 0, at };
    return { text: segment, columns: WIDE.test(segment) ? 2 : 1, at };
  });
}

export function textWidth(text: string): number {
  return toCells(text).reduce((sum, { columns }) => sum + columns, 0);
}
