/** What a move to another version changes, in the order and the words of those who configure it. */
import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import { settingPointer } from "@/lib/domain/configuration";

export type OfferedChange = UpgradeOffer["changes"][number];

const TOPICS = [
  { id: "settings", title: "Settings", kinds: ["setting"] },
  { id: "mappings", title: "Mapping fields", kinds: ["mapping"] },
  { id: "routes", title: "Routes and hooks", kinds: ["webhook", "autofill", "rater", "lifecycle"] },
  { id: "app", title: "About the app", kinds: ["app"] },
] as const;

export interface ChangeTopic {
  id: string;
  title: string;
  changes: OfferedChange[];
  /** Entries that only stand in another place now. */
  moved: number;
}

const ORDER = ["added", "changed", "removed"];

/** Topics with changes alone; in each what was added first, then what changed, then what is gone. */
export function topicsOf(changes: readonly OfferedChange[]): ChangeTopic[] {
  const known = new Set<string>(TOPICS.flatMap(({ kinds }) => kinds));
  return TOPICS.map(({ id, title, kinds }) => {
    // A kind that is not known here is said with the app, not left out.
    const isOf = ({ kind }: OfferedChange) =>
      kinds.some((each) => each === kind) || (id === "app" && !known.has(kind));
    const all = changes.filter(isOf);
    const shown = all.filter(({ change }) => change !== "moved");
    return {
      id,
      title,
      changes: shown.sort((a, b) => ORDER.indexOf(a.change) - ORDER.indexOf(b.change)),
      moved: all.length - shown.length,
    };
  }).filter(({ changes: shown, moved }) => shown.length + moved > 0);
}

const KINDS: Record<string, string> = {
  webhook: "webhook",
  autofill: "autofill",
  rater: "external rater",
  lifecycle: "lifecycle hook",
};

/** Undefined where the topic's title says it already. */
export function kindWord(kind: string): string | undefined {
  return KINDS[kind];
}

const MEMBERS: Record<string, string> = {
  title: "Title",
  hint: "Hint",
  type: "Type",
  required: "Required",
  sensitive: "Secret",
  values: "Choices",
  events: "Events",
  operations: "Operations",
  path: "Path",
  name: "Name",
};

export function memberWord(member: string): string {
  // A choice of a Select is told by its value, such as `value "eu"`.
  return MEMBERS[member] ?? member.replace(/^value (?=")/, "Choice ");
}

/** The members to show: the title stands in the head of an entry that came, and what is gone needs none. */
export function detailsToShow({ change, name, title, details }: OfferedChange): OfferedChange["details"] {
  if (change === "removed") return [];
  if (change === "changed") return details;
  const heads = new Set([name, title]);
  return details.filter(({ before, after }) => !heads.has(after ?? before ?? ""));
}

/** What becomes of the calls to a route that came or went. `to`: the number of the version that is moved to. */
export function effectOf({ kind, change }: Pick<OfferedChange, "kind" | "change">, to: string) {
  const isRoute = kind === "webhook" || kind === "autofill" || kind === "rater";
  if (isRoute && change === "added") return `It gets an address of its own once ${to} serves.`;
  if (isRoute && change === "removed") return `The core's calls to it end once ${to} serves.`;
  return undefined;
}

/** Such as "2 settings, 1 secret and the mapping of 1 product". Empty where nothing is stored. */
export function keptInWords(offer: Pick<UpgradeOffer, "settings" | "mappings" | "asks">): string {
  const asked = new Set(offer.asks.map(({ pointer }) => pointer));
  const isAsked = (name: string) => asked.has(settingPointer(name));
  const kept = offer.settings.filter(({ name }) => !isAsked(name));
  const secrets = kept.filter((view) => view.sensitive && view.configured).length;
  const plain = kept.filter((view) => !view.sensitive && view.value !== undefined).length;
  const mapped = offer.mappings.filter(({ fields }) => Object.keys(fields).length > 0).length;
  const parts = [
    counted(plain, "setting"),
    counted(secrets, "secret"),
    counted(mapped, "product").replace(/^(\d+)/, "the mapping of $1"),
  ].filter((part) => part !== "");
  const last = parts.pop();
  if (last === undefined) return "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function counted(count: number, noun: string): string {
  if (count === 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
