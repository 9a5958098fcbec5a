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

/** Every word of the query must be in a section: itself, at the start of a longer word, or with a typo. Best first. */
export function searchSections(index: DocsIndex, query: string, most: number): DocsHit[] {
  const words = [...new Set(listWords(query))].slice(0, 8);
  if (words.length === 0) return [];
  const vocabulary = [...index.keys()];
  const matches = words.map((word) => matchWord(word, vocabulary));
  const scores = matches.map((found) => scoreSections(index, found));
  const [first = new Map<DocsSection, number>(), ...others] = scores;
  const shown = matches.flatMap((found) => [...found.keys()]);
  return [...first]
    .flatMap(([section, score]) => {
      const rest = others.map((other) => other.get(section));
      if (rest.includes(undefined)) return [];
      const sum = rest.reduce<number>((total, each) => total + (each ?? 0), score);
      return [{ section, score: sum + exactness(section, query) }];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ section: { path, page, heading, text } }) => ({
      path,
      page,
      heading,
      excerpt: cutExcerpt(text, new Set(shown)),
    }));
}

/** Words of the index that a word of the query can mean, and how well. */
function matchWord(word: string, vocabulary: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const known of vocabulary) {
    if (known === word) found.set(known, 1);
    else if (word.length > 1 && known.startsWith(word)) found.set(known, 0.6);
    // `pull` finds `manifest_pull`, and `timed` finds `APP_TIMED_OUT`.
    else if (word.length > 2 && known.includes(`_${word}`)) found.set(known, 0.5);
  }
  if (found.size > 0 || word.length < 4) return found;
  const meant = findSimilar(word, vocabulary);
  return meant === undefined ? found : new Map([[meant, 0.4]]);
}

function scoreSections(index: DocsIndex, found: ReadonlyMap<string, number>): Map<DocsSection, number> {
  const scores = new Map<DocsSection, number>();
  for (const [word, match] of found)
    for (const { section, weight } of index.get(word) ?? [])
      scores.set(section, Math.max(scores.get(section) ?? 0, match * weight));
  return scores;
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
