/** `match()` and `search()` of paths, without the regular expressions that never come to an end. */
import { FunctionExpressionType, type FilterFunction, type JSONPathEnvironment } from "json-p3";

/** Thrown when a path would take too long to try out. It may be right all the same. */
export class TooCostly extends Error {}

const LONGEST_TEXT = 200;
const QUANTIFIERS = 2;

/** Each quantifier multiplies the work by the text's length, and one on a group can double it for each character. */
function isCheap(pattern: string): boolean {
  const bare = pattern.replace(/\\./gs, "_").replace(/\[[^\]]*\]/g, "_");
  return (bare.match(/[*+?{]/g) ?? []).length <= QUANTIFIERS && !/\)[*+?{]/.test(bare);
}

export function boundRegularExpressions(environment: JSONPathEnvironment): void {
  for (const name of ["match", "search"]) {
    const inner = environment.functionRegister.get(name);
    if (inner !== undefined) environment.functionRegister.set(name, bounded(inner));
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
