import { printParseErrorCode, visit, type ParseError } from "jsonc-parser";
import type { Finding } from "./finding";

interface Sentence {
  message: string;
  hint: string;
}

const NO_JSON: Sentence = { message: "This is no JSON.", hint: "Start with '{' and end with '}'." };

const SENTENCE_OF: Record<string, Sentence> = {
  InvalidSymbol: {
    message:
      "This is no JSON: values are strings in double quotes, numbers, true, false, null, objects and lists.",
    hint: "Put text in double quotes.",
  },
  InvalidNumberFormat: { message: "This is no number of JSON's.", hint: "Write it as 1, -2.5 or 1e3." },
  PropertyNameExpected: {
    message: "A member's name in double quotes is expected here.",
    hint: "Write the name in double quotes, or remove the comma before.",
  },
  ValueExpected: {
    message: "A value is expected here.",
    hint: "Write a value, or remove the comma or the name before.",
  },
  ColonExpected: { message: "A ':' is expected here.", hint: "Write ':' between the name and its value." },
  CommaExpected: {
    message: "A ',' is expected here.",
    hint: "Write ',' between one member or item and the next.",
  },
  CloseBraceExpected: { message: "A '}' is missing.", hint: "Close the object." },
  CloseBracketExpected: { message: "A ']' is missing.", hint: "Close the list." },
  EndOfFileExpected: {
    message: "The manifest ends before this; what follows is too much.",
    hint: "Remove it, or a bracket too many before it.",
  },
  InvalidCommentToken: { message: "JSON has no comments; remove this one.", hint: "Remove the comment." },
  UnexpectedEndOfComment: { message: "JSON has no comments; remove this one.", hint: "Remove the comment." },
  UnexpectedEndOfString: {
    message: "This string has no closing quote.",
    hint: 'Close it with ", on the same line.',
  },
  UnexpectedEndOfNumber: { message: "This number is not complete.", hint: "Write it as 1, -2.5 or 1e3." },
  InvalidUnicode: { message: "This escape is not one of JSON's.", hint: "Write \\u and four hex digits." },
  InvalidEscapeCharacter: {
    message: "This escape is not one of JSON's.",
    hint: "Write \\\\ for a backslash.",
  },
  InvalidCharacter: {
    message: "A control character is in this string; write it as an escape, such as \\n.",
    hint: "Replace it.",
  },
};

/** At most so many: after the first few, one mistake only repeats itself. */
const MOST_FINDINGS = 10;

/** Why a text is no JSON. It is one, or was scanned for its depth before. */
export function syntaxFindings(text: string): Finding[] {
  const errors: ParseError[] = [];
  const onError = (error: number, offset: number, length: number) => {
    if (errors.length < MOST_FINDINGS) errors.push({ error, offset, length });
  };
  visit(text, { onError }, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  return errors.map(({ error, offset }) => ({
    code: "BROKEN_JSON",
    path: [],
    offset,
    ...(SENTENCE_OF[printParseErrorCode(error)] ?? NO_JSON),
  }));
}
