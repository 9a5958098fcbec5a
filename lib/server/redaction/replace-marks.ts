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

/** The part of a text from `start` to `end`. A mark of which only a part is within stands for that part. */
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
