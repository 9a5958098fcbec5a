/** What the editor and the lists of changes call kinds of entries, with their icons. */
import {
  Calculator,
  Globe,
  KeyRound,
  Link2,
  type LucideIcon,
  Power,
  Server,
  ShieldCheck,
  SquareChevronDown,
  TextCursorInput,
  WandSparkles,
  Webhook,
} from "lucide-react";
import type { Entry, EntryKind, Ingredient } from "@/lib/domain/catalog/manifest/entry";
import { getMember } from "@/lib/domain/platform/json-text/json-value";

export interface EntryLabel {
  icon: LucideIcon;
  name: string;
  description: string;
}

export const ENTRY_LABELS: Record<Ingredient, EntryLabel> = {
  Select: { icon: SquareChevronDown, name: "Select", description: "One of your values" },
  Text: { icon: TextCursorInput, name: "Text", description: "A line of text" },
  Password: { icon: KeyRound, name: "Password", description: "A hidden secret" },
  mapping: { icon: Link2, name: "Mapping field", description: "A field of products" },
  webhook: { icon: Webhook, name: "Webhook", description: "Receives core events" },
  autofill: { icon: WandSparkles, name: "Autofill", description: "Fills in forms" },
  rater: { icon: Calculator, name: "External rater", description: "Prices policies" },
  endpoint: { icon: Globe, name: "Endpoint", description: "Pages and callbacks" },
  lifecycle: { icon: Power, name: "Lifecycle hook", description: "Install, start, stop" },
  permission: { icon: ShieldCheck, name: "Permission", description: "A right in the core" },
  host: { icon: Server, name: "Host", description: "Where data may go" },
};

/** A setting of an unknown type is shown as a Text. */
export function getEntryLabel({ kind, value }: Pick<Entry, "kind" | "value">): EntryLabel {
  if (kind !== "setting") return ENTRY_LABELS[kind];
  const type = getMember(value, "type");
  return ENTRY_LABELS[type === "Select" || type === "Password" ? type : "Text"];
}

/** Within a sentence: "Text setting", "external rater". */
export function nameEntry(kind: Ingredient | EntryKind): string {
  if (kind === "Select" || kind === "Text" || kind === "Password") return `${kind} setting`;
  return kind === "setting" ? kind : ENTRY_LABELS[kind].name.toLowerCase();
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
