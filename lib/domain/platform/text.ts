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

/** Marks that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/** The text with a code, such as `[U+202E]`, in place of each mark that changes the direction of text: it can't disguise itself. */
export function showDirectionMarks(text: string): string {
  return text.replace(DIRECTION_MARKS, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`);
}

/** Prose with at most one empty line in a row, so that a gap never looks like the end. */
export function closeGaps(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\n[^\S\n]*\n(?:[^\S\n]*\n)+/g, "\n\n");
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

/** Letters that Unicode doesn't take apart, as people type them whose keyboards don't have them. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th" },
  ...{
    ø: "o",
    ł: "l",
    đ: "d",
    ð: "d",
    ħ: "h",
    ŧ: "t",
    ŋ: "n",
    ƀ: "b",
    ǥ: "g",
    ɨ: "i",
    ƶ: "z",
    ı: "i",
    ς: "σ",
  },
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");
const APOSTROPHES = /[\u02B9-\u02BC\u055A\u2018\u2019\u201B\u2032\u2035]/g;
const DASHES =
  /[\u058A\u05BE\u1806\u2010-\u2015\u2043\u2053\u2212\u2E17\u2E1A\u2E3A\u2E3B\u2E40\u301C\u3030\u30A0]/g;
/** Accents, and what has no width, such as soft hyphens. */
const UNSEEN =
  /[\u00AD\u0300-\u036F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u1AB0-\u1AFF\u1DC0-\u1DFF\u200B-\u200F\u202A-\u202E\u2060-\u206F\u20D0-\u20FF\uFE00-\uFE0F\uFE20-\uFE2F\uFEFF\uFFF0-\uFFF8\u{E0000}-\u{E0FFF}]/gu;

const ASCII = /^[\0-\x7F]*$/;

/**
 * A text as searches compare it: in small letters, without accents and invisible characters, with one kind of hyphen and apostrophe,
 * and with full-width letters as ordinary ones. The database's `fold_text` does the same.
 */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .replaceAll("\u00B4", "'")
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(UNSEEN, "")
    .replaceAll(DASHES, "-")
    .replaceAll(APOSTROPHES, "'")
    .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter);
}

/** What else a folded word may be written as: `e-mail` is `email` or `e mail`. Nothing if it has only hyphens. */
export function listSpellings(word: string): string[] {
  const parts = word.split(/[-']/).filter(Boolean);
  return parts.length < 2 ? parts : [parts.join(""), parts.join(" ")];
}

/** Each word that was typed, with its spellings. */
export function listTypedWords(typed: string): string[][] {
  return foldText(typed)
    .split(/\s+/)
    .map(listSpellings)
    .filter((spellings) => spellings.length > 0);
}

/** A text as it is searched: folded, and without what people leave out or write otherwise. */
export function withoutHyphens(text: string): string {
  return foldText(text).replaceAll(/[-']/g, "");
}

/** Whether a text contains each word that was typed, in any order, as searches compare them. For what people wrote. */
export function hasTypedWords(text: string, typed: string): boolean {
  const compared = withoutHyphens(text);
  return listTypedWords(typed).every((spellings) =>
    spellings.some((spelling) => spelling.split(" ").every((part) => compared.includes(part))),
  );
}

/** Whether a text contains what was typed, as searches compare them. For texts of programs, such as logs. */
export function hasTypedText(text: string, typed: string): boolean {
  const wanted = withoutHyphens(typed);
  return wanted === "" ? text.includes(typed) : withoutHyphens(text).includes(wanted);
}

/** `1,204`, or `10,000+` at the number up to which something is counted. */
export function formatCount(count: number, most = Infinity): string {
  return count >= most ? `${most.toLocaleString("en-US")}+` : count.toLocaleString("en-US");
}
