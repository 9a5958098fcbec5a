/** Line breaks, other control characters, and marks that change the direction of the text after them. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;
const BROKEN_CHARACTER = /\p{Surrogate}/gu;

/** User text as one line of at most `longest` characters: safe in an email's header, and beside our own text. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(CONTROLS, " ").replace(BROKEN_CHARACTER, "\uFFFD").replace(/ +/g, " ").trim();
  const characters = [...line];
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`;
}
