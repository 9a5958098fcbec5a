/** The text of paths, without the library that parses them: it is as large as a form. */

export type Step = string | number;

/** Characters that the library does not read in a name, not even escaped. */
const UNNAMEABLE = /[\0-\x07\x0B\x0E-\x1F]|\p{Surrogate}/u;
/** Characters that no JSON text or database accepts, and invisible ones. */
const UNWRITABLE = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F]|\p{Surrogate}/u;

/** The first character that cannot be stored. `offset` counts characters from 0. */
export function findUnwritable(text: string): { offset: number; message: string } | undefined {
  const offset = text.search(UNWRITABLE);
  if (offset < 0) return undefined;
  const message = "this character is invisible or cannot be stored. Delete it, or write it as \\u0000.";
  return { offset, message: `At character ${offset + 1}: ${message}` };
}

/** The path along these steps, as people write it: `$.vehicle['trim-level'][0]`. Undefined: no path can name it. */
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

const UNESCAPED = new Map([...ESCAPES].map(([character, escaped]) => [escaped, character]));
const WRITTEN_STEP = /\.([A-Za-z_]\w*)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/gs;

/** The steps of a path that `pathTo` wrote. */
export function readWrittenSteps(path: string): Step[] {
  return [...path.matchAll(WRITTEN_STEP)].map(([, name, index, quoted = ""]) => {
    if (name !== undefined) return name;
    if (index !== undefined) return Number(index);
    return quoted.replace(/\\(u007f|.)/gs, (escaped) => UNESCAPED.get(escaped) ?? escaped);
  });
}
