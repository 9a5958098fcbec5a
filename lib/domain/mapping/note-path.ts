/** What is shown below a path: how it fits the product's schema, and what it finds in the sample. */
import { checkPath, type PathCheck } from "./check-path";
import { valueAtPath } from "./value-at-path";

export interface PathNote {
  check: PathCheck;
  /** Only a JSONPath can be tried on the sample. `shown`: the first values as short text. */
  found?: { shown: string[]; count: number; more: boolean; failure?: string };
}

/** Notes by product and path. */
export type PathNotes = Record<string, Record<string, PathNote>>;

const SHOWN = 3;
const LONGEST = 80;

export function notePath(schema: unknown, sample: unknown, path: string): PathNote {
  const check = checkPath(schema, path);
  const { result } = check;
  if (result === "invalid" || result === "malformed" || result === "unchecked") return { check };
  const { values, more, failure } = valueAtPath(sample, path);
  return {
    check,
    found: { shown: values.slice(0, SHOWN).map(showValue), count: values.length, more, failure },
  };
}

/** Text as it is, anything else as short JSON. */
function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "") return '""';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
