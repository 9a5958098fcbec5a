/** What a path finds in a product's data, for showing it while the path is typed. */
import { JSONPathRecursionLimitError, type JSONValue } from "json-p3";
import { parsePath } from "./json-path";
import { TooCostly } from "./path-functions";

export interface Found {
  values: unknown[];
  /** There are more than these. */
  more: boolean;
  /** Why it was not looked up to the end, in words: no path, or one that takes too long for trying out. */
  fault?: string;
}

const SHOWN = 20;
/** Members read: far more than a sample has, and a tenth of a second at most. */
const READS = 100_000;

/** Bounded in what it reads and in what it returns; never throws. */
export function valueAtPath(document: unknown, path: string): Found {
  const { query, fault } = parsePath(path);
  if (query === undefined) return { values: [], more: false, fault: fault.message };
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
        fault: "This path takes too long to be tried out here. It may be right all the same.",
      };
    throw error;
  }
}

/**
 * The document as the library reads it, with each member that is read counted: the library itself has no bound, and
 * `$..*..*..*` over a small document would never come to an end.
 */
function metered(document: unknown): { document: JSONValue; original: (value: unknown) => unknown } {
  let reads = 0;
  const wrapped = new WeakMap<object, object>();
  const originals = new WeakMap<object, object>();
  const wrap = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const known = wrapped.get(value);
    if (known !== undefined) return known;
    // A copy, since a proxy must answer a frozen member as it is.
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
    // The library reads whatever it is given as JSON.
    document: wrap(document) as JSONValue,
    original: (value) => (isObject(value) ? (originals.get(value) ?? value) : value),
  };
}
