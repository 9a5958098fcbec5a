/** Paths of mappings: JSONPath as RFC 9535 defines it. */
import { JSONPathEnvironment, JSONPathError, jsonpath, type JSONPathQuery } from "json-p3";
import { faultAt, type PathFault } from "./path-fault";
import { boundRegularExpressions } from "./path-functions";

export type ParsedPath =
  { query: JSONPathQuery; fault?: undefined } | { query?: undefined; fault: PathFault };

export type Step = string | number;

const environment = new JSONPathEnvironment();
boundRegularExpressions(environment);

/** Outside of quotes, a name with a '-' is none: the library takes it, the standard and other libraries do not. */
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs;
const NAME_WITH_HYPHEN = /\.\s*[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*-/;
/** What no JSON text and no database can hold, and what cannot be seen. */
/** What the library does not read in a name, not even escaped. */
const UNNAMEABLE = /[\0-\x07\x0B\x0E-\x1F]|\p{Surrogate}/u;
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]|\p{Surrogate}/u;

export function parsePath(text: string): ParsedPath {
  const unwritable = text.search(UNWRITABLE);
  if (unwritable >= 0) return { fault: faultAt(text, unwritable, "unwritable") };
  try {
    const query = environment.compile(text);
    const bare = text.replace(QUOTED, (quoted) => "_".repeat(quoted.length));
    const hyphen = NAME_WITH_HYPHEN.exec(bare);
    if (hyphen === null) return { query };
    return { fault: faultAt(text, hyphen.index + hyphen[0].length - 1, "hyphen") };
  } catch (error) {
    const offset = error instanceof JSONPathError ? error.token.index : 0;
    return { fault: faultAt(text, offset, error instanceof Error ? error.message : "") };
  }
}

/** What is wrong with a path; undefined: it is valid. */
export function faultOfPath(text: string): PathFault | undefined {
  return parsePath(text).fault;
}

/** Does the path name one place at most? */
export function isSingularPath(text: string): boolean {
  return parsePath(text).query?.singularQuery() === true;
}

/** The names and indexes along a path; none when it can name several places, or is no path. */
export function stepsOfPath(path: string): Step[] {
  const { query } = parsePath(path);
  if (query?.singularQuery() !== true) return [];
  return leadingSteps(query);
}

/** The names and indexes until the first segment that can name several places. */
export function leadingSteps(query: JSONPathQuery): Step[] {
  const { NameSelector, IndexSelector } = jsonpath.selectors;
  const steps: Step[] = [];
  for (const segment of query.segments) {
    const [selector, ...others] = segment.selectors;
    if (others.length > 0 || segment.toString().startsWith("..")) break;
    if (selector instanceof NameSelector) steps.push(selector.name);
    else if (selector instanceof IndexSelector) steps.push(selector.index);
    else break;
  }
  return steps;
}

/** The path to a place, as people would write it: `$.vehicle['trim-level'][0]`. Undefined: no path can name it. */
export function pathTo(steps: readonly Step[]): string | undefined {
  if (steps.some((step) => typeof step === "string" && UNNAMEABLE.test(step))) return undefined;
  return `$${steps.map(writeStep).join("")}`;
}

const ESCAPES = new Map([
  ["'", "\\'"],
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\x7F", "\\u007f"],
]);

function writeStep(step: Step): string {
  if (typeof step === "number") return `[${step}]`;
  if (/^[A-Za-z_]\w*$/.test(step)) return `.${step}`;
  return `['${[...step].map((character) => ESCAPES.get(character) ?? character).join("")}']`;
}
