/** Lines whose columns are aligned. */
export interface Cell {
  text: string;
  /** Applied after the text is padded, so that colors don't count as width. */
  paint?: (text: string) => string;
  /** Aligned to the right, such as numbers. */
  right?: boolean;
}

export type Row = readonly (Cell | string)[];

/** The last column is not padded. */
export function alignRows(rows: readonly Row[], gap = "  "): string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, [...toCell(cell).text].length);
    });
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const { text, paint = (plain) => plain, right = false } = toCell(cell);
        const blanks = " ".repeat((widths[index] ?? 0) - [...text].length);
        if (right) return blanks + paint(text);
        return index === row.length - 1 ? paint(text) : paint(text) + blanks;
      })
      .join(gap)
      .trimEnd(),
  );
}

function toCell(cell: Cell | string): Cell {
  return typeof cell === "string" ? { text: cell } : cell;
}
