import { formatText } from "@/lib/domain/json-text/text-format";

/** Marks that change the direction of the text after them. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069]/g;

/**
 * Formatted JSON with its numbers and members as they were sent; other text as it is. Direction marks are escaped,
 * which keeps the JSON the same.
 */
export function prettyPrint(text: string): string {
  const formatted = isJson(text) ? formatText(text) : text;
  return formatted.replace(DIRECTION_MARKS, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
}

/** A body that was cut when it was stored is no longer valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
