/** Suggests which field of a product's data a mapping field means. */
import type { MappingField } from "@/lib/contract/catalog/manifest";
import { isPathField } from "@/lib/contract/platform/manifest-terms";
import type { Mapping } from "./check-mappings";
import { readWrittenSteps } from "./path-text";
import { listLeaves, schemaTree } from "./schema-tree";

/** A path to suggest: a node of a schema tree, or one of its leaves. */
interface Candidate {
  /** As `pathTo` writes it. */
  path: string;
  title?: string;
  children?: readonly Candidate[];
}

export interface Suggestion {
  path: string;
  why: string;
}

const SHOWN = 5;

/** The best first. `sure`: good enough to fill in without asking. */
const RULES = [
  { sure: true, why: "The same name" },
  { sure: true, why: "The same name, written differently" },
  { sure: true, why: "The same words in its path" },
  { sure: true, why: "The same title" },
  { sure: false, why: "Its name has the same words" },
  { sure: false, why: "Its name is part of the field's name" },
] as const;

interface Ranked extends Suggestion {
  rank: number;
  sure: boolean;
  depth: number;
}

export function suggestPaths(field: MappingField, candidates: readonly Candidate[]): Suggestion[] {
  return rank(field, candidates)
    .slice(0, SHOWN)
    .map(({ path, why }) => ({ path, why }));
}

/** The best suggestion if it is good enough to fill in. The customer sees it and can change it. */
export function guessPath(field: MappingField, candidates: readonly Candidate[]): string | undefined {
  const [best] = rank(field, candidates);
  return best?.sure === true ? best.path : undefined;
}

/** For made-up customers: each field at the path of each product that fits its name best. Other fields than paths get `text`. */
export function inventMappings(
  fields: readonly MappingField[],
  products: readonly { name: string; schema: unknown }[],
  text: string,
): Mapping[] {
  return products.map(({ name, schema }) => {
    const found = listLeaves(schemaTree(schema));
    const entries = fields.flatMap((field) => {
      if (!isPathField(field)) return [[field.name, text] as const];
      const path = suggestPaths(field, found)[0]?.path ?? found[0]?.path;
      return path === undefined ? [] : [[field.name, path] as const];
    });
    return { productName: name, fields: Object.fromEntries(entries) };
  });
}

function rank(field: MappingField, candidates: readonly Candidate[]): Ranked[] {
  return leaves(candidates)
    .flatMap(({ path, title }) => {
      const names = readWrittenSteps(path).filter((step) => typeof step === "string");
      const rule = RULES[findRule(field, names, title)];
      return rule === undefined
        ? []
        : [{ path, ...rule, rank: RULES.indexOf(rule), depth: readWrittenSteps(path).length }];
    })
    .sort((a, b) => a.rank - b.rank || a.depth - b.depth);
}

/** The index of the first rule that matches; -1 for none. */
function findRule(field: MappingField, names: readonly string[], title: string | undefined): number {
  const name = names.at(-1);
  if (name === undefined) return -1;
  const wanted = splitWords(field.name);
  const own = splitWords(name);
  const along = names.flatMap(splitWords);
  const matches = [
    name === field.name,
    same(own, wanted),
    wanted.length > own.length && own.length > 0 && same(along.slice(-wanted.length), wanted),
    title !== undefined &&
      [splitWords(field.title), wanted].some((words) =>
        same(withoutFiller(splitWords(title)), withoutFiller(words)),
      ),
    endsWith(own, wanted),
    endsWith(wanted, own),
  ];
  return matches.indexOf(true);
}

/** `vehicleVin`, `vehicle_vin`, `Vehicle VIN` → vehicle, vin. */
export function splitWords(name: string): string[] {
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

function leaves(candidates: readonly Candidate[]): Candidate[] {
  return candidates.flatMap((candidate) =>
    candidate.children === undefined || candidate.children.length === 0
      ? [candidate]
      : leaves(candidate.children),
  );
}

/**
 * The example in a hint, to show in the empty field: what is in backticks, what looks like a path, or what follows "such
 * as". Undefined if there is none.
 */
export function findExample(hint: string | undefined): string | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(hint ?? "")?.[1]?.replace(/[.,;:]+$/, "");
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}

const PATTERNS = [
  /`([^`]+)`/,
  /(?:^|\s)(\$(?:\.|\[)\S+|[\w.-]+\[\S+\]\S*)/,
  /\b(?:such as|for example|e\.g\.|example:)[:,]?\s+(\S+)/i,
];
