/** What the kinds of entries and the ingredients are called. */
import type { Ingredient } from "@/lib/domain/manifest/new-entry";
import type { EntryKind } from "@/lib/domain/manifest/outline-manifest";

const WORDS = {
  Select: "Select setting",
  Text: "Text setting",
  Password: "Password setting",
  setting: "setting",
  mapping: "mapping field",
  webhook: "webhook",
  autofill: "autofill",
  rater: "external rater",
  lifecycle: "lifecycle hook",
} as const satisfies Record<Ingredient | EntryKind, string>;

export function wordOf(what: Ingredient | EntryKind): string {
  return WORDS[what];
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Without what no page can hold: the server would send another character in its place than the browser draws. */
export function printable(text: string): string {
  return text.replace(/[\0-\x1F\x7F]|\p{Surrogate}/gu, "\uFFFD");
}
