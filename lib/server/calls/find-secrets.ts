import { formsOf, linesOf, type Secret, type SecretForm } from "./secret-forms";
import { searchOf, type Cut, type Match } from "./search-forms";
import { WINDOW, windowsOf } from "./text-windows";

/** So much of a long value tells mostly that nothing of it stands in a text, and its forms are built in no time. */
const SAMPLE = 16;

/**
 * Where the forms of values stand in a text: of those that end at one place, the longest; and the longest part of a form
 * that a cut has left. The time is linear in the text and the forms together, for both may be hostile. The forms are
 * built only of the values that a sample does not rule out.
 */
export function findSecrets(text: string, secrets: readonly Secret[], cut?: Cut): Match[] {
  const mayStand = windowsOf(text);
  const isLikely = ({ text: form }: SecretForm) =>
    mayStand(cut === undefined ? form : partOf(form, WINDOW, cut));
  const samples = secrets.map((secret) => ({ ...secret, forms: samplesOf(secret.value, text, cut) }));
  const likely = samples.filter(({ forms }) => forms.some(isLikely));
  const left = cut === undefined ? [] : shortPart(text, samples, cut);
  if (likely.length === 0) return left;
  const search = searchOf(text, cut);
  for (const { name, value } of likely)
    for (const form of [...formsOf(value), ...linesOf(value)].filter(isLikely)) search.find(form, name);
  return [...search.matches(), ...left];
}

/** Each form begins with one of these; where the text's start was cut, it ends with one. */
function samplesOf(value: string, text: string, cut: Cut | undefined): SecretForm[] {
  // No form is shorter than its value.
  if (cut === undefined && value.length > text.length) return linesOf(value);
  return [...formsOf(sampleOf(value, cut)), ...linesOf(value)];
}

/** Not cut within a character of two units. */
function sampleOf(value: string, cut: Cut | undefined): string {
  if (value.length <= 2 * SAMPLE) return value;
  const part = partOf(value, SAMPLE, cut);
  return cut === "start" ? part.replace(/^[\uDC00-\uDFFF]/, "") : part.replace(/[\uD800-\uDBFF]$/, "");
}

/** What of a form would stand at the cut, or its first characters. */
function partOf(form: string, length: number, cut: Cut | undefined): string {
  return cut === "start" ? form.slice(-length) : form.slice(0, length);
}

/** What a cut has left of a form, where that is too little for the table. */
function shortPart(text: string, samples: readonly { forms: SecretForm[] }[], cut: Cut): Match[] {
  for (let length = Math.min(WINDOW - 1, text.length); length > 0; length -= 1) {
    const start = cut === "start" ? 0 : text.length - length;
    const stands = text.slice(start, start + length);
    if (samples.some(({ forms }) => forms.some((form) => partOf(form.text, length, cut) === stands)))
      return [{ start, end: start + length, name: "" }];
  }
  return [];
}
