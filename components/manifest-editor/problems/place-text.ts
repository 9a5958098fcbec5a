/** Where a problem is, for people: "Settings › region › values › 2 › text". */
import { memberOf } from "@/lib/domain/manifest/finding";
import { LIST_OF, type Entry, type EntryKind } from "@/lib/domain/manifest/outline-manifest";

const LIST_WORDS = {
  setting: "Settings",
  mapping: "Mapping fields",
  webhook: "Webhooks",
  autofill: "Autofill",
  rater: "External raters",
  lifecycle: "Lifecycle hooks",
} as const satisfies Record<EntryKind, string>;

export function placeText(pointer: string, entries: readonly Entry[]): string {
  const parts = partsOf(pointer);
  if (parts.length === 0) return "The whole text";
  for (const [kind, list] of listsOf()) {
    if (!list.every((part, index) => parts[index] === part)) continue;
    const [index, ...rest] = parts.slice(list.length);
    const words: string[] = [LIST_WORDS[kind]];
    if (index !== undefined) words.push(entryWord(kind, index, entries));
    return [...words, ...rest.map(oneBased)].map(shorten).join(" › ");
  }
  return parts.map(oneBased).map(shorten).join(" › ");
}

function listsOf(): [EntryKind, readonly string[]][] {
  const kinds: EntryKind[] = ["setting", "mapping", "webhook", "autofill", "rater", "lifecycle"];
  return kinds.map((kind) => [kind, LIST_OF[kind]]);
}

/** By its name or path; by its place where it has none. */
function entryWord(kind: EntryKind, index: string, entries: readonly Entry[]): string {
  const entry = entries.find((each) => each.kind === kind && String(each.index) === index);
  const known = [memberOf(entry?.value, "name"), memberOf(entry?.value, "path"), entry?.value];
  const word = known.find((each) => typeof each === "string" && each !== "");
  return typeof word === "string" ? word : oneBased(index);
}

function oneBased(part: string): string {
  return /^\d{1,6}$/.test(part) ? String(Number(part) + 1) : part;
}

function partsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
