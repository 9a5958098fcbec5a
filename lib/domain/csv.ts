/** Spreadsheets read cells that begin like this as formulas, which can leak a table's content. */
const FORMULA = /^[\s"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

/** One line of CSV (RFC 4180). Every cell is quoted, and none is a formula. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === "number" ? String(cell) : quote(cell))).join(",")}\r\n`;
}

function quote(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
