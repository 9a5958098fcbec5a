import * as z from "zod";

const BROKEN_CHARACTER = /\p{Surrogate}/u;

/** PostgreSQL cannot store a NUL character or half of a surrogate pair, although JSON can carry both. */
export function canBeStored(text: string): boolean {
  return !text.includes("\0") && !BROKEN_CHARACTER.test(text);
}

/** Text that the database can store. */
export const storableText = z
  .string()
  .refine((text) => !text.includes("\0"), "Remove the NUL character (U+0000). It cannot be stored.")
  .refine(
    (text) => !BROKEN_CHARACTER.test(text),
    "One character is broken (half of a surrogate pair). Remove it or enter it again.",
  );

/** Trimmed text that one user writes and others read. Each use adds its maximum length. */
export const shownText = storableText.trim();

export function atMost(characters: number): string {
  return `Use at most ${characters.toLocaleString("en-US")} characters.`;
}
