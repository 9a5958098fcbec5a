import { findKeys } from "./find-keys";
import { normalizeText } from "./normalize-text";
import { replaceMarks } from "./replace-marks";

/** The text with `[state key]` and `[token]` in place of every state key and JWT. For texts without a customer's secrets. */
export function redactKeys(text: string): string {
  return replaceMarks(text, findKeys(text, normalizeText(text)));
}
