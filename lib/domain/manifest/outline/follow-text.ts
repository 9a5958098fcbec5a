/** Names and values that follow the text they were made from until somebody edits them. */
import { FORBIDDEN_NAMES, MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";

const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
};

/** "Håbor & Söhne" → "habor", "sohne". None for a text without Latin letters or digits. */
function splitLatinWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[ßæœøłđðþ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** "Håbor & Söhne" → "habor-sohne". A text without Latin letters or digits is its own value. */
export function deriveValue(text: string): string {
  const words = splitLatinWords(text);
  return words.length === 0 ? text.trim() : words.join("-");
}

/** Leaves room for a number. */
const LONGEST_NAME = MANIFEST_LIMITS.name - 4;

/** "API key" → "apiKey". Empty for a title without Latin letters. */
export function deriveName(title: string): string {
  const words = splitLatinWords(title);
  const start = words.findIndex((word) => /[a-z]/.test(word));
  // A name starts with a letter.
  const first = words[start]?.replace(/^\d+/, "") ?? "";
  const rest = words.slice(start + 1).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return first === "" ? "" : [first, ...rest].join("").slice(0, LONGEST_NAME);
}

interface Titled {
  name: unknown;
  title: unknown;
}

/**
 * The name of an entry whose title changes to `title`; undefined if somebody edited the name. `fallback`: the name without
 * a title. `taken`: the names of the other entries.
 */
export function followTitle(
  { name, title: before }: Titled,
  title: string,
  fallback: string,
  taken: readonly unknown[],
): string | undefined {
  const made = typeof before === "string" ? deriveName(before) || fallback : fallback;
  if (name !== undefined && name !== "" && !isNumbered(name, made, "")) return undefined;
  const base = deriveName(title) || fallback;
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? base : `${base}${number}`;
    if (!taken.includes(free) && !FORBIDDEN_NAMES.includes(free)) return free;
  }
}

/** Whether the value was derived from this text. */
export function isDerivedValue(value: unknown, text: unknown): boolean {
  const made = typeof text === "string" ? deriveValue(text) : "";
  return value === undefined || value === made || (made !== "" && isNumbered(value, made, "-"));
}

/** Whether it is `base`, or `base` with a number that makes it unique. */
function isNumbered(text: unknown, base: string, separator: string): boolean {
  if (typeof text !== "string" || !text.startsWith(base)) return false;
  const rest = text.slice(base.length);
  return rest === "" || (rest.startsWith(separator) && /^\d+$/.test(rest.slice(separator.length)));
}
