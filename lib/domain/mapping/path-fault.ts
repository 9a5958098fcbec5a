/** What is wrong with a path that is none, so that the person who typed it can mend it. */

/** In words that show a right one, and where: `offset` counts characters from 0. */
export interface PathFault {
  offset: number;
  message: string;
}

const EXAMPLE = "Write it such as $.vehicle.vin or $['vehicle'].drivers[0].";

/** By what the parser says, first that fits. */
const WORDS: readonly (readonly [cause: RegExp, what: string])[] = [
  [/^unwritable$/, "there is a character that cannot be seen or stored. Delete it, or write it as \\u0000."],
  [/^hyphen$/, "a name with '-' goes in brackets and quotes, such as $['trim-level']."],
  [/unclosed string/, "the quote that opens here is not closed. Add the second one, as in $['trim-level']."],
  [/unclosed bracket|unbalanced/, "a bracket is not closed. Add it, as in $.drivers[0]."],
  [/empty bracketed/, "the brackets are empty. Put a number or a quoted name in, as in $.drivers[0]."],
  [/in bracketed selection/, "in brackets stands a number, or a name in quotes, as in $['vehicle']."],
  [/bald descendant|can't backup/, "a name is missing after the '.', as in $.vehicle.vin."],
  [/leading zero/, "a number does not start with 0, except 0 itself, as in $.drivers[0]."],
  [/index out of range/, "this number is too large."],
  [/escape|surrogate/, "this is no escape. In quotes, write \\' for a quote and \\\\ for a backslash."],
  [/no such function/, "there is no such function. There are length, count, match, search and value."],
  [
    /must be compared|filter|expression|argument/,
    "this filter is not right. Write it as in $.drivers[?@.age > 25].name.",
  ],
  [/shorthand/, "a name that starts like this goes in brackets and quotes, such as $['2nd-driver']."],
];

export function faultAt(text: string, offset: number, cause: string): PathFault {
  const at = Math.max(0, Math.min(offset, text.length));
  if (!text.startsWith("$"))
    return { offset: 0, message: `A path begins with $, the whole of the product's data. ${EXAMPLE}` };
  const what = WORDS.find(([pattern]) => pattern.test(cause))?.[1] ?? `this is not expected here. ${EXAMPLE}`;
  const where = at >= text.length ? "At its end" : `At character ${at + 1}`;
  return { offset: at, message: `${where}: ${what}` };
}
