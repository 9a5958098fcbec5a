import { z } from "zod";

const HALF_OF_A_PAIR = /\p{Surrogate}/u;

/** PostgreSQL holds neither a NUL character nor half of a surrogate pair, though JSON can carry both. */
export function canBeHeld(text: string): boolean {
  return !text.includes("\0") && !HALF_OF_A_PAIR.test(text);
}

/** Text that someone writes and others read, trimmed. Each use adds how long it may be. */
export const shownText = z
  .string()
  .refine((text) => !text.includes("\0"), "Remove the NUL character (U+0000): it cannot be stored.")
  .refine(
    (text) => !HALF_OF_A_PAIR.test(text),
    "One character is broken: half of a surrogate pair. Remove it, or write it again.",
  )
  .trim();
