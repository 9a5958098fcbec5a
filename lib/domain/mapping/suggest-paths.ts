/** Which places of a product's data a mapping field probably means. */
import type { MappingField } from "@/lib/contract/manifest";
import { stepsOfPath } from "./json-path";

/** A place to suggest; a node of a schema's tree is one, and so is an entry of a pick list. */
interface Candidate {
  path: string;
  title?: string;
  children?: readonly Candidate[];
}

export interface Suggestion {
  path: string;
  /** Why, in words. */
  why: string;
}

const SHOWN = 5;

/** What fits, the best first. `sure`: good enough to fill in before anybody chose. */
const RULES = [
  { sure: true, why: "The same name" },
  { sure: true, why: "The same name, written differently" },
  { sure: true, why: "The same words in its path" },
  { sure: true, why: "The same title" },
  { sure: false, why: "A name that holds the same words" },
  { sure: false, why: "A name that is part of the field's" },
] as const;

interface Ranked extends Suggestion {
  rank: number;
  sure: boolean;
  depth: number;
}

export function suggestPaths(field: MappingField, places: readonly Candidate[]): Suggestion[] {
  return rank(field, places)
    .slice(0, SHOWN)
    .map(({ path, why }) => ({ path, why }));
}

/** The best suggestion when it is a good one: a first guess that the customer sees and can change. */
export function guessPath(field: MappingField, places: readonly Candidate[]): string | undefined {
  const [best] = rank(field, places);
  return best?.sure === true ? best.path : undefined;
}

function rank(field: MappingField, places: readonly Candidate[]): Ranked[] {
  return leaves(places)
    .flatMap((place) => {
      const names = stepsOfPath(place.path).filter((step) => typeof step === "string");
      const at = RULES[rankOf(field, names, place.title)];
      return at === undefined
        ? []
        : [{ path: place.path, ...at, rank: RULES.indexOf(at), depth: stepsOfPath(place.path).length }];
    })
    .sort((a, b) => a.rank - b.rank || a.depth - b.depth);
}

/** The index of the first rule that holds; -1 for none. */
function rankOf(field: MappingField, names: readonly string[], title: string | undefined): number {
  const name = names.at(-1);
  if (name === undefined) return -1;
  const wanted = wordsOf(field.name);
  const own = wordsOf(name);
  const along = names.flatMap(wordsOf);
  const holds = [
    name === field.name,
    same(own, wanted),
    wanted.length > own.length && own.length > 0 && same(along.slice(-wanted.length), wanted),
    title !== undefined &&
      [wordsOf(field.title), wanted].some((words) =>
        same(withoutFiller(wordsOf(title)), withoutFiller(words)),
      ),
    endsWith(own, wanted),
    endsWith(wanted, own),
  ];
  return holds.indexOf(true);
}

/** `vehicleVin`, `vehicle_vin`, `Vehicle VIN` → vehicle, vin. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** A title such as 'The VIN field' means 'VIN'. */
function withoutFiller(words: readonly string[]): string[] {
  const filler = new Set(["the", "a", "an", "of", "field", "your"]);
  return words.filter((word) => !filler.has(word));
}

/** The same words, with or without breaks between them: `postalcode` is `postal_code`. */
function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && one.join("") === other.join("");
}

function endsWith(long: readonly string[], short: readonly string[]): boolean {
  return short.length > 0 && long.length > short.length && same(long.slice(-short.length), short);
}

function leaves(places: readonly Candidate[]): Candidate[] {
  return places.flatMap((place) =>
    place.children === undefined || place.children.length === 0 ? [place] : leaves(place.children),
  );
}
