/** Line breaks, other control characters, and marks that change the direction of the text after them. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;
const BROKEN_CHARACTER = /\p{Surrogate}/gu;

/** User text as one line of at most `longest` characters: safe in an email's header, and beside our own text. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(CONTROLS, " ").replace(BROKEN_CHARACTER, "\uFFFD").replace(/ +/g, " ").trim();
  const characters = [...line];
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`;
}

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

/** The word that was probably meant by a mistyped one: another case, or up to two letters wrong. */
export function findSimilar(word: string, candidates: readonly string[]): string | undefined {
  const written = word.toLowerCase();
  // Almost every short word is two letters away from some other.
  const most = word.length <= 4 ? 1 : 2;
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > most) continue;
    const distance = countEdits(written, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Letters to add, remove or replace, or neighbors to swap (optimal string alignment). */
function countEdits(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwap = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row[to] = Math.min(
        (last[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + 1,
        (last[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[to - 2] ?? 0) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/**
 * A text as searches compare it: in small letters, without accents, and with full-width letters as ordinary ones. The database's
 * `fold_text` does the same.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, "");
}

const HYPHENS_AND_APOSTROPHES = /[-‐'’]/g;

/** Without what people leave out or write otherwise: `e-mail` is `email`. */
export function withoutHyphens(text: string): string {
  return text.replaceAll(HYPHENS_AND_APOSTROPHES, "");
}

/** Whether a text contains each word that was typed, in any order, as searches compare them. */
export function hasTypedWords(text: string, typed: string): boolean {
  const compare = (value: string) => withoutHyphens(foldText(value));
  const compared = compare(text);
  return compare(typed)
    .split(/\s+/)
    .every((word) => compared.includes(word));
}
