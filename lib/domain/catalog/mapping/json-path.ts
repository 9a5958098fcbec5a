/** What a path finds in a product's data, to show while the path is typed. */
import {
  type FilterFunction,
  FunctionExpressionType,
  jsonpath,
  JSONPathEnvironment,
  JSONPathError,
  type JSONPathQuery,
  JSONPathRecursionLimitError,
  type JSONValue,
} from "json-p3";
import { findUnwritable, type Step } from "./path-text";

interface Found {
  values: unknown[];
  /** There are more values. */
  more: boolean;
  /** Why the search did not finish: the path is invalid, or takes too long to try out. */
  failure?: string;
}

const SHOWN = 20;
/** Members to read: far more than a sample has, and at most a tenth of a second. */
const READS = 100_000;

/** Bounds what it reads and what it returns. Never throws. */
export function valueAtPath(document: unknown, path: string): Found {
  const { query, issue } = parsePath(path);
  if (query === undefined) return { values: [], more: false, failure: issue.message };
  const values: unknown[] = [];
  try {
    const meter = metered(document);
    for (const { value } of query.lazyQuery(meter.document)) {
      if (values.length >= SHOWN) return { values, more: true };
      values.push(meter.original(value));
    }
    return { values, more: false };
  } catch (error) {
    if (
      error instanceof TooCostly ||
      error instanceof JSONPathRecursionLimitError ||
      error instanceof RangeError
    )
      return {
        values,
        more: true,
        failure: "This path takes too long to try out here. It may still be valid.",
      };
    throw error;
  }
}

/**
 * The document, with every member counted as the library reads it. The library has no limit of its own, and
 * `$..*..*..*` over a small document would never finish.
 */
function metered(document: unknown): { document: JSONValue; original: (value: unknown) => unknown } {
  let reads = 0;
  const wrapped = new WeakMap<object, object>();
  const originals = new WeakMap<object, object>();
  const wrap = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = wrapped.get(value);
    if (known !== undefined) return known;
    // A copy, because a proxy must return a frozen member unchanged.
    const copy: object = Array.isArray(value) ? [...value] : { ...value };
    const proxy = new Proxy(copy, {
      get(target, key, receiver): unknown {
        reads += 1;
        if (reads > READS) throw new TooCostly();
        return wrap(Reflect.get(target, key, receiver));
      },
    });
    wrapped.set(value, proxy);
    originals.set(proxy, value);
    return proxy;
  };
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  return {
    // The library treats any value as JSON.
    document: wrap(document) as JSONValue,
    original: (value) => (isObject(value) ? (originals.get(value) ?? value) : value),
  };
}

// Paths of mappings: JSONPath as RFC 9535 defines it.

/** `offset` counts characters from 0. */
interface PathIssue {
  offset: number;
  message: string;
  /** The text has a character that cannot be stored. Other invalid paths may be meant for the app. */
  isUnwritable: boolean;
}

type ParsedPath = { query: JSONPathQuery; issue?: undefined } | { query?: undefined; issue: PathIssue };

const environment = new JSONPathEnvironment();
boundRegularExpressions(environment);

/** Outside quotes, a name cannot have a '-': the library accepts it, the standard and other libraries do not. */
const QUOTED = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs;
const NAME_WITH_HYPHEN = /\.\s*[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*-/;

export function parsePath(text: string): ParsedPath {
  const unwritable = findUnwritable(text);
  if (unwritable !== undefined) return { issue: { ...unwritable, isUnwritable: true } };
  try {
    const query = environment.compile(text);
    const bare = text.replace(QUOTED, (quoted) => "_".repeat(quoted.length));
    const hyphen = NAME_WITH_HYPHEN.exec(bare);
    if (hyphen === null) return { query };
    return { issue: describeIssue(text, hyphen.index + hyphen[0].length - 1, "hyphen") };
  } catch (error) {
    const offset = error instanceof JSONPathError ? error.token.index : 0;
    return { issue: describeIssue(text, offset, error instanceof Error ? error.message : "") };
  }
}

/** Whether the path finds at most one value. */
export function isSingularPath(text: string): boolean {
  return parsePath(text).query?.singularQuery() === true;
}

/** The names and indexes along a path; none if the path is invalid or can find several values. */
export function readSteps(path: string): Step[] {
  const { query } = parsePath(path);
  if (query?.singularQuery() !== true) return [];
  return leadingSteps(query);
}

/** The names and indexes before the first segment that can find several values. */
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

/** Thrown when a path would take too long to try out. The path may still be valid. */
class TooCostly extends Error {}

const LONGEST_TEXT = 200;
const QUANTIFIERS = 2;

/** Limits `match()` and `search()` to regular expressions that are sure to finish. */
function boundRegularExpressions({ functionRegister }: JSONPathEnvironment): void {
  for (const name of ["match", "search"]) {
    const inner = functionRegister.get(name);
    if (inner !== undefined) functionRegister.set(name, bounded(inner));
  }
}

function bounded(inner: FilterFunction): FilterFunction {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown) {
      if (typeof text !== "string" || typeof pattern !== "string") return false;
      if (text.length > LONGEST_TEXT || !isCheap(pattern)) throw new TooCostly();
      return inner.call(text, pattern);
    },
  };
}

/** Each quantifier multiplies the work by the text's length; one on a group can double it for each character. */
function isCheap(pattern: string): boolean {
  const bare = pattern.replace(/\\./gs, "_").replace(/\[[^\]]*\]/g, "_");
  return (bare.match(/[*+?{]/g) ?? []).length <= QUANTIFIERS && !/\)[*+?{]/.test(bare);
}

const EXAMPLE = "Write a path such as $.vehicle.vin or $['vehicle'].drivers[0].";

/** By what the parser reports; the first match counts. */
const MESSAGES: readonly (readonly [cause: RegExp, message: string])[] = [
  [/^hyphen$/, "a name with '-' needs brackets and quotes, such as $['trim-level']."],
  [/unclosed string/, "this quote is not closed. Add the closing quote, as in $['trim-level']."],
  [/unclosed bracket|unbalanced/, "a bracket is not closed. Add it, as in $.drivers[0]."],
  [/empty bracketed/, "the brackets are empty. Put a number or a quoted name in them, as in $.drivers[0]."],
  [/in bracketed selection/, "brackets take a number or a name in quotes, as in $['vehicle']."],
  [/bald descendant|can't backup/, "a name is missing after the '.', as in $.vehicle.vin."],
  [/leading zero/, "a number cannot start with 0, except 0 itself, as in $.drivers[0]."],
  [/index out of range/, "this number is too large."],
  [
    /escape|surrogate/,
    "this is not a valid escape. In quotes, write \\' for a quote and \\\\ for a backslash.",
  ],
  [/no such function/, "this function does not exist. Use length, count, match, search, or value."],
  [
    /must be compared|filter|expression|argument/,
    "this filter is not valid. Write it as in $.drivers[?@.age > 25].name.",
  ],
  [/shorthand/, "a name that starts like this needs brackets and quotes, such as $['2nd-driver']."],
];

function describeIssue(text: string, offset: number, cause: string): PathIssue {
  const isUnwritable = false;
  if (!text.startsWith("$"))
    return {
      isUnwritable,
      offset: 0,
      message: `A path starts with $, which means all of the product's data. ${EXAMPLE}`,
    };
  const position = Math.max(0, Math.min(offset, text.length));
  const message =
    MESSAGES.find(([pattern]) => pattern.test(cause))?.[1] ?? `this is not expected here. ${EXAMPLE}`;
  const lead = position >= text.length ? "At the end" : `At character ${position + 1}`;
  return { isUnwritable, offset: position, message: `${lead}: ${message}` };
}
