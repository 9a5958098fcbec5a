/** What a path finds in a product's data, to show while the path is typed. */
import { JSONPathRecursionLimitError, type JSONValue } from "json-p3";
import { parsePath, TooCostly } from "./json-path";

export interface Found {
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
