/** What a row says of an entry, whatever the entry is made of. */
import { isSensitive } from "@/lib/contract/manifest";
import { getMember } from "@/lib/domain/json-text/json-value";
import { printable } from "../../model/labels";
import { LIFECYCLE_MEANING } from "../../model/labels";
import type { RowEntry } from "./entry-rows";

const MOST = 200;

/** A text as it is; anything else as JSON; nothing for what is missing. */
export function shortText(value: unknown): string {
  if (value === undefined) return "";
  const text = printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

/** What the app knows it by, or what it listens to. */
export function detailOf({ kind, value }: RowEntry): string {
  switch (kind) {
    case "setting":
    case "mapping":
      return shortText(getMember(value, "name"));
    case "webhook":
      return listText(getMember(value, "events"));
    case "autofill":
      return listText(getMember(value, "operations"));
    case "rater":
      return shortText(getMember(value, "path"));
    case "lifecycle":
      return meaningOf(value) ?? "";
  }
}

export function chipsOf({ kind, value }: RowEntry): string[] {
  if (kind !== "setting" && kind !== "mapping") return [];
  const type = getMember(value, "type");
  const values = getMember(value, "values");
  const sensitive = isSensitive({
    type: type === "Password" ? "Password" : "Text",
    sensitive: getMember(value, "sensitive") === true,
  });
  return [
    ...(kind === "setting" && type === "Select" && Array.isArray(values) ? [countText(values.length)] : []),
    ...(getMember(value, "required") === true ? ["Required"] : []),
    ...(kind === "setting" && sensitive ? ["Sensitive"] : []),
  ];
}

export function meaningOf(event: unknown): string | undefined {
  return Object.entries(LIFECYCLE_MEANING).find(([name]) => name === event)?.[1];
}

function countText(count: number): string {
  return count === 1 ? "1 value" : `${count} values`;
}

function listText(value: unknown): string {
  return Array.isArray(value) ? shortText(value.slice(0, 20).map(shortText).join(", ")) : shortText(value);
}
