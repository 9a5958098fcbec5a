/** The search of the documentation. The same code runs on the server and, while the user types, in the browser. */
import { findSimilar, foldText, withoutHyphens } from "../platform/text";

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

export interface DocsIndex {
  /** How many there are. */
  sections: number;
  words: ReadonlyMap<string, readonly Posting[]>;
}

interface Posting {
  section: DocsSection;
  weight: number;
}

/** A page's title is the heading of what is above its first one. */
const WEIGHTS = { heading: 10, page: 3 } as const;
/** A word that a text repeats is what it is about, up to a point. */
const weighText = (times: number) => (4 * times) / (times + 3);
const EXCERPT = 160;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_]*/gu;

export function indexSections(sections: readonly DocsSection[]): DocsIndex {
  const index = new Map<string, Posting[]>();
  for (const section of sections) {
    const { page, heading, text } = section;
    const weights = new Map<string, number>();
    for (const word of [...listWords(text), ...listCompounds(text)])
      weights.set(word, (weights.get(word) ?? 0) + 1);
    for (const [word, times] of weights) weights.set(word, weighText(times));
    const add = (words: string, weight: number) => {
      for (const word of new Set([...listWords(words), ...listCompounds(words)]))
        weights.set(word, (weights.get(word) ?? 0) + weight);
    };
    add(heading || page, WEIGHTS.heading);
    if (heading !== "") add(page, WEIGHTS.page);
    for (const [word, weight] of weights) {
      const postings = index.get(word);
      if (postings === undefined) index.set(word, [{ section, weight }]);
      else postings.push({ section, weight });
    }
  }
  return { sections: sections.length, words: index };
}

/** Words that say nothing about what is looked for. */
const EMPTY = new Set(
  [
    "a",
    "an",
    "and",
    "are",
    "be",
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
    "many",
    "me",
    "my",
    "of",
    "on",
    "or",
  ].concat([
    "our",
    "that",
    "the",
    "this",
    "to",
    "too",
    "we",
    "what",
    "when",
    "where",
    "why",
    "with",
    "you",
    "your",
  ]),
);

/** What others call it. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  big: ["large", "size"],
  bundle: ["image"],
  cancel: ["withdraw"],
  delete: ["remove", "retire", "uninstall"],
  deploy: ["publish"],
  development: ["dev"],
  docker: ["container"],
  env: ["environment"],
  hello: ["started"],
  idempotency: ["duplicate", "repeated"],
  idempotent: ["duplicate", "repeated"],
  iframe: ["frame"],
  install: ["launch"],
  large: ["size"],
  local: ["computer"],
  max: ["limit"],
  maximum: ["limit"],
  oidc: ["oauth", "sso"],
  quickstart: ["started"],
  remove: ["delete", "retire", "uninstall"],
  rotate: ["rotation", "revoke"],
  sso: ["oauth", "oidc"],
  timeout: ["deadline", "timed"],
  token: ["key"],
  tutorial: ["started"],
  unsubscribe: ["uninstall"],
};

/** What scores less than this share of the best says something else, and has the words only in passing. */
const LEAST_SHARE = 0.2;

/**
 * Sections with words of the query: themselves, in another form, at the start of a longer word, under another name, or with a typo. Those
 * with all of the words come first, and rare words count more than common ones.
 */
export function searchSections(index: DocsIndex, query: string, most: number): DocsHit[] {
  const all = [...new Set(listWords(query))];
  const telling = all.filter((word) => !EMPTY.has(word));
  const words = (telling.length > 0 ? telling : all).slice(0, 8);
  if (words.length === 0) return [];
  const vocabulary = [...index.words.keys()].map((word) => ({ word, stem: stemOf(word) }));
  const matches = words.map((word) => matchWord(word, all, vocabulary));
  const found = new Map<DocsSection, { score: number; told: number }>();
  let tellable = 0;
  for (const each of matches) {
    const sections = scoreSections(index, each);
    // A word that many sections have tells little.
    const telling = Math.log(1 + index.sections / Math.max(1, sections.size));
    if (sections.size > 0) tellable += telling;
    for (const [section, score] of sections) {
      const before = found.get(section) ?? { score: 0, told: 0 };
      found.set(section, { score: before.score + score * telling, told: before.told + telling });
    }
  }
  const shown = new Set(matches.flatMap((each) => [...each.keys()]));
  const phrase = all.length > 1 ? all.join(" ") : undefined;
  const scored = [...found].map(([section, { score, told }]) => ({
    section,
    score: score * (told / tellable) ** 2 * (phrase === undefined ? 1 : weighPhrase(section, phrase)),
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  return scored
    .filter(({ score }) => score >= best * LEAST_SHARE)
    .map(({ section, score }) => ({ section, score: score + exactness(section, query) }))
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

/** Words of the index that a word of the query can mean, and how well. `query`: all of its words. */
function matchWord(
  word: string,
  query: readonly string[],
  vocabulary: readonly KnownWord[],
): Map<string, number> {
  const found = new Map<string, number>();
  const stem = stemOf(word);
  const others = ALSO[word]?.map(stemOf) ?? [];
  // `log in` finds `login`.
  const joined = query.slice(1).flatMap((next, at) => {
    const before = query[at] ?? "";
    return before === word || next === word ? [before + next] : [];
  });
  // Others are still being typed.
  const isWhole = vocabulary.some((known) => known.stem === stem);
  const isLast = query.at(-1) === word;
  for (const known of vocabulary) {
    if (known.word === word || joined.includes(known.word)) found.set(known.word, 1);
    else if (known.stem === stem) found.set(known.word, 0.9);
    else if (others.some((other) => known.stem === other || hasPart(known, other)))
      found.set(known.word, 0.7);
    // `pull` finds `manifest_pull`, and `timed` finds `APP_TIMED_OUT`.
    else if (hasPart(known, word)) found.set(known.word, 0.5);
    else if (word.length > 1 && known.word.startsWith(word) && (isLast || !isWhole))
      found.set(known.word, isWhole ? 0.2 : 0.6);
  }
  if (found.size > 0 || word.length < LEAST_MISTYPED) return found;
  // Nobody mistypes the first letter as often as they look for another word.
  const sameStart = vocabulary.flatMap((known) => (known.word[0] === word[0] ? [known.word] : []));
  const meant = findSimilar(word, sameStart);
  return meant === undefined ? found : new Map([[meant, 0.4]]);
}

function hasPart({ word }: KnownWord, part: string): boolean {
  return part.length > 2 && word.length > part.length && `_${word}_`.includes(`_${part}_`);
}

/** Too many shorter words are a letter or two away from others that mean something else. */
const LEAST_MISTYPED = 6;

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
  if (suffix === undefined || word.endsWith("ss")) return withoutE(word);
  const start = word.slice(0, -suffix.length);
  return suffix === "ies" ? `${start}y` : withoutE(start);
}

/** `price` has the stem of `pricing`; `core` is not one of `cors`. */
function withoutE(word: string): string {
  return word.length > LEAST_STEM ? word.replace(/e$/, "") : word;
}

function scoreSections(index: DocsIndex, found: ReadonlyMap<string, number>): Map<DocsSection, number> {
  const scores = new Map<DocsSection, number>();
  for (const [word, match] of found)
    for (const { section, weight } of index.words.get(word) ?? [])
      scores.set(section, Math.max(scores.get(section) ?? 0, match * weight));
  return scores;
}

/** Words that are side by side mean more than the same words apart. */
function weighPhrase({ heading, page, text }: DocsSection, phrase: string): number {
  const has = (where: string) => ` ${listWords(where).join(" ")} `.includes(` ${phrase} `);
  if (has(heading || page)) return 2;
  return has(text) ? 1.3 : 1;
}

/** An error code or a heading that was entered in full comes first. */
function exactness({ heading, page }: DocsSection, query: string): number {
  const asked = foldText(query.trim());
  if (foldText(heading) === asked) return 1_000;
  return heading === "" && foldText(page) === asked ? 500 : 0;
}

/** The text around the first match. */
function cutExcerpt(text: string, matches: ReadonlySet<string>): ExcerptPart[] {
  const found = [...text.matchAll(WORD)].filter(([word]) => matches.has(foldText(word)));
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
  return [...foldText(text).matchAll(WORD)].map(([word]) => word);
}

/** `e-mail` is also found as `email`. */
function listCompounds(text: string): string[] {
  return [...foldText(text).matchAll(/[\p{L}\p{N}]+(?:[-']+[\p{L}\p{N}]+)+/gu)].map(([word]) =>
    withoutHyphens(word),
  );
}
