import { printParseErrorCode, visit, type ParseError } from "jsonc-parser";
import type { FoundIssue } from "../../json-text/locate-issues";

interface SyntaxMessage {
  message: string;
  hint: string;
}

const COMMENT = { message: "JSON does not allow comments.", hint: "Remove the comment." };
const NUMBER = { message: "This is not a valid JSON number.", hint: "Write it like 1, -2.5 or 1e3." };
const EXTRA_COMMA = { message: "There is an extra comma.", hint: "Remove the comma." };
const NOT_JSON = { message: "This is not valid JSON.", hint: "Start with '{' and end with '}'." };

/** By jsonc-parser's error code. */
const MESSAGES: Record<string, SyntaxMessage> = {
  InvalidSymbol: { message: "This is not a valid JSON value.", hint: "Put text in double quotes." },
  InvalidNumberFormat: NUMBER,
  UnexpectedEndOfNumber: NUMBER,
  PropertyNameExpected: {
    message: "A key is expected here.",
    hint: "Write the key in double quotes, or remove the comma before it.",
  },
  ValueExpected: {
    message: "A value is expected here.",
    hint: "Add a value, or remove the comma or key before it.",
  },
  ColonExpected: { message: "A ':' is missing here.", hint: "Write ':' between the key and its value." },
  CommaExpected: { message: "A ',' is missing here.", hint: "Separate members and items with ','." },
  CloseBraceExpected: { message: "A '}' is missing.", hint: "Close the object." },
  CloseBracketExpected: { message: "A ']' is missing.", hint: "Close the list." },
  EndOfFileExpected: {
    message: "The JSON ends before this text.",
    hint: "Remove the text, or an extra closing bracket before it.",
  },
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfComment: COMMENT,
  UnexpectedEndOfString: {
    message: "This string has no closing quote.",
    hint: 'Add " at its end, on the same line.',
  },
  InvalidUnicode: { message: "This is not a valid escape.", hint: "Write \\u and four hex digits." },
  InvalidEscapeCharacter: { message: "This is not a valid escape.", hint: "Write \\\\ for a backslash." },
  InvalidCharacter: {
    message: "This string contains a control character.",
    hint: "Remove it, or write it as an escape such as \\n.",
  },
};

/** After the first few, one mistake only repeats itself. */
const MOST_ISSUES = 10;

/** Why a text is not valid JSON. Check its depth first: the parser recurses. */
export function syntaxIssues(text: string): FoundIssue[] {
  const errors: ParseError[] = [];
  // One mistake can make the parser stumble several times before it reads a key or value again.
  let isStumbling = false;
  const onError = (error: number, offset: number, length: number) => {
    if (!isStumbling && errors.length < MOST_ISSUES) errors.push({ error, offset, length });
    isStumbling = true;
  };
  const goOn = () => {
    isStumbling = false;
  };
  visit(
    text,
    { onError, onObjectProperty: goOn, onLiteralValue: goOn, onObjectBegin: goOn, onArrayBegin: goOn },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
  return errors.map(({ error, offset }) => ({
    code: "BROKEN_JSON",
    pointer: "",
    ...explain(text, error, offset),
  }));
}

function explain(text: string, error: number, offset: number): SyntaxMessage & { offset: number } {
  const cause = printParseErrorCode(error);
  const isMissing = cause === "PropertyNameExpected" || cause === "ValueExpected";
  const comma = isMissing ? findExtraComma(text, offset) : undefined;
  if (comma !== undefined) return { ...EXTRA_COMMA, offset: comma };
  return { ...(MESSAGES[cause] ?? NOT_JSON), offset };
}

/** The comma that should not be there: `[1,]`, `[1,,2]`, `[,1]`. */
function findExtraComma(text: string, offset: number): number | undefined {
  let before = offset - 1;
  while (/\s/.test(text[before] ?? "")) before -= 1;
  const [previous, next] = [text[before] ?? "", text[offset] ?? ""];
  if (next === "," && "[{,".includes(previous)) return offset;
  return previous === "," && "]}".includes(next) ? before : undefined;
}
