/** The search of the documentation. The same code runs on the server and, while the user types, in the browser. */
import { findSimilar } from "../platform/text";

/** What is between two headings of a page. */
export interface DocsSection {
  path: string;
  /** The page's title. */
  page: string;
  /** Empty for what is above a page's first heading. */
  heading: string;
  text: string;
}

export interface DocsHit {
  path: string;
  page: string;
  heading: string;
  excerpt: ExcerptPart[];
}

export interface ExcerptPart {
  text: string;
  isMatch: boolean;
}

/** By word. */
export type DocsIndex = ReadonlyMap<string, readonly Posting[]>;

interface Posting {
  section: DocsSection;
  weight: number;
}

const WEIGHTS = { heading: 12, page: 6, text: 1 } as const;
const EXCERPT = 160;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_]*/gu;

export function indexSections(sections: readonly DocsSection[]): DocsIndex {
  const index = new Map<string, Posting[]>();
  for (const section of sections) {
    const weights = new Map<string, number>();
    for (const field of ["heading", "page", "text"] as const)
      for (const word of listWords(section[field]))
        // A word that a section repeats is what it is about, up to a point.
        weights.set(word, Math.min((weights.get(word) ?? 0) + WEIGHTS[field], 30));
    for (const [word, weight] of weights) {
      const postings = index.get(word);
      if (postings === undefined) index.set(word, [{ section, weight }]);
      else postings.push({ section, weight });
    }
  }
  return index;
}

/** Words that say nothing about what is looked for. */
const EMPTY = new Set(
  [
    "a",
    "an",
    "and",
    "are",
    "can",
    "do",
    "does",
    "for",
    "from",
    "how",
    "i",
    "in",
    "is",
    "it",
    "me",
    "my",
    "of",
    "on",
    "or",
  ].concat(["our", "that", "the", "this", "to", "we", "what", "when", "where", "why", "with", "you", "your"]),
);

/** What others call it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  delete: ["remove", "retire", "uninstall"],
  remove: ["delete", "retire", "uninstall"],
  oauth: ["oidc"],
  sso: ["oidc"],
  token: ["key"],
  install: ["launch"],
  env: ["environment"],
};

/** Sections with fewer of the query's words say something else. */
const LEAST_COVERAGE = 0.5;

/**
 * Sections with words of the query: themselves, in another form, at the start of a longer word, under another name, or with a typo. Those
 * with all of the words come first, and rare words count more than common ones.
 */
export function searchSections(index: DocsIndex, query: string, most: number): DocsHit[] {
  const all = [...new Set(listWords(query))];
  const telling = all.filter((word) => !EMPTY.has(word));
  const words = (telling.length > 0 ? telling : all).slice(0, 8);
  if (words.length === 0) return [];
  const vocabulary = [...index.keys()].map((word) => ({ word, stem: stemOf(word) }));
  const matches = words.map((word) => matchWord(word, vocabulary));
  const found = new Map<DocsSection, { score: number; words: number }>();
  for (const each of matches)
    for (const [section, score] of scoreSections(index, each)) {
      const before = found.get(section) ?? { score: 0, words: 0 };
      found.set(section, { score: before.score + score, words: before.words + 1 });
    }
  const shown = new Set(matches.flatMap((each) => [...each.keys()]));
  return [...found]
    .map(([section, { score, words: count }]) => {
      const coverage = count / words.length;
      return { section, coverage, score: score * coverage ** 3 + exactness(section, query) };
    })
    .filter(({ coverage }) => coverage >= LEAST_COVERAGE)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section: { path, page, heading, text } }) => ({
      path,
      page,
      heading,
      excerpt: cutExcerpt(text, shown),
    }));
}

interface KnownWord {
  word: string;
  stem: string;
}

/** Words of the index that a word of the query can mean, and how well. */
function matchWord(word: string, vocabulary: readonly KnownWord[]): Map<string, number> {
  const found = new Map<string, number>();
  const stem = stemOf(word);
  const others = ALSO[word]?.map(stemOf) ?? [];
  for (const known of vocabulary) {
    if (known.word === word) found.set(known.word, 1);
    else if (known.stem === stem) found.set(known.word, 0.9);
    else if (others.includes(known.stem)) found.set(known.word, 0.7);
    else if (word.length > 1 && known.word.startsWith(word)) found.set(known.word, 0.6);
    // `pull` finds `manifest_pull`, and `timed` finds `APP_TIMED_OUT`.
    else if (word.length > 2 && known.word.includes(`_${word}`)) found.set(known.word, 0.5);
  }
  if (found.size > 0 || word.length < 4) return found;
  // Nobody mistypes the first letter as often as they look for another word.
  const sameStart = vocabulary.flatMap((known) => (known.word[0] === word[0] ? [known.word] : []));
  const meant = findSimilar(word, sameStart);
  return meant === undefined ? found : new Map([[meant, 0.4]]);
}

const SUFFIXES = [
  "ations",
  "ation",
  "ments",
  "ment",
  "ings",
  "ing",
  "ers",
  "ies",
  "er",
  "ed",
  "es",
  "ly",
  "s",
];
const LEAST_STEM = 4;

/** A word without its ending: `develop` for `development`, `retry` for `retries`. Good enough to compare words by. */
function stemOf(word: string): string {
  const suffix = SUFFIXES.find(
    (each) => word.endsWith(each) && word.length - each.length >= LEAST_STEM - (each === "s" ? 1 : 0),
  );
  if (suffix === undefined || word.endsWith("ss")) return word.replace(/e$/, "");
  const start = word.slice(0, -suffix.length);
  return suffix === "ies" ? `${start}y` : start.replace(/e$/, "");
}

function scoreSections(index: DocsIndex, found: ReadonlyMap<string, number>): Map<DocsSection, number> {
  const scores = new Map<DocsSection, number>();
  for (const [word, match] of found)
    for (const { section, weight } of index.get(word) ?? [])
      scores.set(section, Math.max(scores.get(section) ?? 0, match * weight));
  // A word that many sections have tells little.
  const rarity = 1 / Math.log2(2 + scores.size);
  return new Map([...scores].map(([section, score]) => [section, score * rarity]));
}

/** An error code or a heading that was entered in full comes first. */
function exactness({ heading, page }: DocsSection, query: string): number {
  const asked = query.trim().toLowerCase();
  if (heading.toLowerCase() === asked) return 1_000;
  return heading === "" && page.toLowerCase() === asked ? 500 : 0;
}

/** The text around the first match. */
function cutExcerpt(text: string, matches: ReadonlySet<string>): ExcerptPart[] {
  const found = [...text.matchAll(WORD)].filter(([word]) => matches.has(word.toLowerCase()));
  const start = Math.max(0, (found[0]?.index ?? 0) - EXCERPT / 3);
  const from = start === 0 ? 0 : text.indexOf(" ", start) + 1;
  const to = Math.min(text.length, from + EXCERPT);
  const parts: ExcerptPart[] = [];
  let at = from;
  for (const { 0: word, index } of found) {
    if (index < at || index + word.length > to) continue;
    parts.push({ text: text.slice(at, index), isMatch: false }, { text: word, isMatch: true });
    at = index + word.length;
  }
  parts.push({ text: text.slice(at, to), isMatch: false });
  if (from > 0) parts.unshift({ text: "…", isMatch: false });
  if (to < text.length) parts.push({ text: "…", isMatch: false });
  return parts.filter((part) => part.text !== "");
}

function listWords(text: string): string[] {
  return [...text.matchAll(WORD)].map(([word]) => word.toLowerCase());
}
