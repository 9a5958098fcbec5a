/** A part of a text that must not be stored or shown, and what takes its place. */
export interface Mark {
  start: number;
  end: number;
  mark: string;
}

/** Overlapping parts become one, with the mark of the longest. */
export function replaceMarks(text: string, marks: Mark[]): string {
  if (marks.length === 0) return text;
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
  let at = 0;
  const pieces = merged.map(({ start, end, mark }) => {
    const piece = text.slice(at, start) + mark;
    at = end;
    return piece;
  });
  return pieces.join("") + text.slice(at);
}
