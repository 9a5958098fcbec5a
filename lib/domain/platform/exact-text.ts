/** What people paste and can't see: how many lines and characters, what is invisible in them, and line breaks that stay as they are. */

/** A line break counts as one character here, whatever it is made of. */
const UNITS = /\r\n|[^]/g;
const LINE_BREAK = /\r\n|\r|\n/g;

export function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** The text as a field of several lines shows it. */
export function toLineFeeds(text: string): string {
  return text.replace(LINE_BREAK, "\n");
}

function splitUnits(text: string): string[] {
  return text.match(UNITS) ?? [];
}

/** Replaces a range of what a field shows. All other line breaks stay as they are, and so do those of `inserted`. */
export function replaceShown(text: string, start: number, end: number, inserted: string): string {
  const units = splitUnits(text);
  return [...units.slice(0, start), inserted, ...units.slice(end)].join("");
}

/**
 * The text after a user has changed what a field shows of it to `shown`. Line breaks that were not touched stay as they are, and new
 * ones are like the others.
 */
export function editShown(text: string, shown: string): string {
  const before = toLineFeeds(text);
  if (before === shown) return text;
  const most = Math.min(before.length, shown.length);
  let start = 0;
  while (start < most && before[start] === shown[start]) start += 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === shown.at(-1 - same)) same += 1;
  const inserted = shown.slice(start, shown.length - same);
  const usual = countBreaks(text);
  const breaks = usual.windows > usual.others ? "\r\n" : "\n";
  const edited = replaceShown(text, start, before.length - same, inserted.replaceAll("\n", breaks));
  // A carriage return before what was inserted can become a part of it.
  return toLineFeeds(edited) === shown ? edited : shown;
}

function countBreaks(text: string): { windows: number; others: number } {
  const breaks = text.match(LINE_BREAK) ?? [];
  const windows = breaks.filter((each) => each === "\r\n").length;
  return { windows, others: breaks.length - windows };
}

/** White space, byte order marks, characters without a width, and letters that draw nothing. */
const BLANK = "\\s\\u00AD\\u115F\\u1160\\u180E\\u200B-\\u200D\\u2060-\\u2064\\u2800\\u3164\\uFEFF\\uFFA0";
const BLANK_START = new RegExp(`^[${BLANK}]+`, "u");
/** Looked for from a character that is none, because a search for the end of each run takes forever in a long text. */
const BLANK_END = new RegExp(`(?<![${BLANK}])[${BLANK}]+$`, "u");

/** Without what is blank at its start and end. */
export function trimBlank(text: string): string {
  return text.replace(BLANK_START, "").replace(BLANK_END, "");
}

const DIRECTION = "\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069";

/** Each character is of at most one kind. A tab, a space and a line break can be meant; at the start and end, they are named too. */
const KINDS: readonly [pattern: RegExp, one: string, several: string][] = [
  [/\t/g, "tab", "tabs"],
  [/\u00A0|\u202F|\u2007/g, "no-break space", "no-break spaces"],
  [/[\u1680\u2000-\u2006\u2008-\u200A\u205F\u2800\u3000]/g, "unusual space", "unusual spaces"],
  [/\uFEFF/g, "byte order mark", "byte order marks"],
  [new RegExp(`[${DIRECTION}]`, "gu"), "text direction mark", "text direction marks"],
  [
    new RegExp(`(?![${DIRECTION}\\uFEFF])[\\p{Default_Ignorable_Code_Point}\\p{Cf}]`, "gu"),
    "zero-width character",
    "zero-width characters",
  ],
  [/[\u2018-\u201F]/g, "curly quote", "curly quotes"],
  [
    /(?![\u2018-\u201F"'])[\p{Quotation_Mark}\p{Pi}\p{Pf}\u00B4\u02B9-\u02BF\u02CA\u02CB\u02DD\u02EE\u0374\u055A\u05F3\u05F4\u2032-\u2037\u2057\u275B-\u275E\uA78B\uA78C\uFF40]/gu,
    "typographic quote or prime",
    "typographic quotes or primes",
  ],
  [/(?!-)[\p{Pd}\u02D7\u2043\u207B\u2212\u2796\u30FC\uFF70]/gu, "typographic dash", "typographic dashes"],
  [/\u2026/g, "ellipsis character", "ellipsis characters"],
  [/(?!\u034F)[\u0300-\u036F]/g, "combining accent", "combining accents"],
  [/[\u2028\u2029]/g, "line separator", "line separators"],
  [/(?![\t\r\n])\p{Cc}/gu, "control character", "control characters"],
  [
    /[\p{Surrogate}\p{Co}\uFFFC\uFFFD]|\p{Noncharacter_Code_Point}/gu,
    "broken character",
    "broken characters",
  ],
];

/** Letters and signs that most fonts draw as those of ASCII. Unicode says it of all the others, such as full-width ones. */
const LOOK_ALIKES = new Set(
  "АВЕЅІЈКМНОРСТУХЬавеѕіјкмнорсԁԛԝһӏухΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυϲγօոսցıɑɡǀǃ٠۰⁄∕∖∗∣∼∶⁎⁓ː˸։׃ꓸ‚‸‾ˆ˜",
);

/** Characters of no kind above that look like those of ASCII. */
function countLookAlikes(text: string): number {
  // In a text of another script, its letters are what they look like.
  const isLatin = /[A-Za-z\d]/.test(text);
  const isSimilar = (character: string) =>
    !KINDS.some(([pattern]) => character.search(pattern) !== -1) &&
    ((isLatin && LOOK_ALIKES.has(character)) || /^[!-~]{1,3}$/.test(character.normalize("NFKC")));
  const others = text.match(/[^\0-~]/gu) ?? [];
  const similar = new Set([...new Set(others)].filter(isSimilar));
  return others.filter((character) => similar.has(character)).length;
}

export interface TextDescription {
  /** Such as "28 lines, 1,704 characters". */
  size: string;
  /** What can't be seen, or looks like something else. Such as "ends with a space". */
  notes: string[];
}

/** Says nothing about the characters that can be seen, but their number. */
export function describeText(text: string): TextDescription {
  const breaks = text.match(LINE_BREAK)?.length ?? 0;
  const lines = /[\r\n]$/.test(text) ? breaks : breaks + 1;
  const characters = count([...text].length, "character", "characters");
  const edges = [
    ...describeEdge("starts", BLANK_START.exec(text)?.[0]),
    ...(trimBlank(text) === "" ? [] : describeEdge("ends", BLANK_END.exec(text)?.[0])),
  ];
  const kinds = KINDS.flatMap(([pattern, one, several]) => {
    const found = text.match(pattern)?.length ?? 0;
    return found === 0 ? [] : [count(found, one, several)];
  });
  const similar = countLookAlikes(text);
  if (similar > 0) kinds.push(count(similar, "look-alike character", "look-alike characters"));
  return {
    size: breaks === 0 ? characters : `${count(lines, "line", "lines")}, ${characters}`,
    notes: [...edges, ...kinds, ...describeBreaks(text)],
  };
}

function describeEdge(verb: "starts" | "ends", blank: string | undefined): string[] {
  if (blank === undefined) return [];
  const units = splitUnits(blank);
  const kind = EDGES.find(([pattern]) => pattern.test(blank))?.[1] ?? "blank character";
  return [`${verb} with ${units.length === 1 ? "a" : units.length} ${kind}${units.length === 1 ? "" : "s"}`];
}

const EDGES: readonly [pattern: RegExp, kind: string][] = [
  [/^ +$/, "space"],
  [/^\t+$/, "tab"],
  [/^[\r\n]+$/, "line break"],
  [/^\uFEFF+$/, "byte order mark"],
];

function describeBreaks(text: string): string[] {
  const { windows, others } = countBreaks(text);
  if (windows > 0 && others > 0) return ["different kinds of line breaks, which are kept"];
  if (windows > 0) return ["Windows line breaks (CRLF), which are kept"];
  return /\r/.test(text) ? ["carriage returns as line breaks, which are kept"] : [];
}

function count(number: number, one: string, several: string): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : several}`;
}
