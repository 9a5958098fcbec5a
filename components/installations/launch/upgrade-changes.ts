/** What another version changes and asks, as the upgrade page shows it. */
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import type { ProductView, UpgradeOffer } from "@/lib/contract/installations/configuration-view";
import type { Issue } from "@/lib/contract/platform/problem";
import { settingPointer } from "@/lib/domain/catalog/configuration";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";

export type OfferedChange = UpgradeOffer["changes"][number];

const TOPICS = [
  { id: "settings", title: "Settings", kinds: ["setting"] },
  { id: "mappings", title: "Mapping fields", kinds: ["mapping"] },
  {
    id: "routes",
    title: "Routes and hooks",
    kinds: ["webhook", "autofill", "rater", "endpoint", "lifecycle"],
  },
  { id: "rights", title: "Permissions and hosts", kinds: ["permission", "host"] },
  { id: "app", title: "About the app", kinds: ["app"] },
] as const;

export interface ChangeTopic {
  id: string;
  title: string;
  changes: OfferedChange[];
  /** Entries that only changed their position. */
  moved: number;
}

/** Without the rights that the customer is asked for, which are listed with the question. */
export function withoutAsked({ changes, rights }: Pick<UpgradeOffer, "changes" | "rights">): OfferedChange[] {
  const { permissions, hosts } = rights.added;
  const asked = new Set([
    ...(permissions ?? []).map(({ name }) => name),
    ...(hosts ?? []).map(({ host }) => host),
  ]);
  const isRight = ({ kind }: OfferedChange) => kind === "permission" || kind === "host";
  return changes.filter((each) => !(isRight(each) && each.change === "added" && asked.has(each.name)));
}

const ORDER = ["added", "changed", "removed"];

/** Only topics with changes. In each: added entries first, then changed ones, then removed ones. */
export function groupByTopic(changes: readonly OfferedChange[]): ChangeTopic[] {
  const known = new Set<string>(TOPICS.flatMap(({ kinds }) => kinds));
  return TOPICS.map(({ id, title, kinds }) => {
    // A kind that is not known here is shown with the app, not left out.
    const belongs = ({ kind }: OfferedChange) =>
      kinds.some((each) => each === kind) || (id === "app" && !known.has(kind));
    const all = changes.filter(belongs);
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
  endpoint: "endpoint",
  lifecycle: "lifecycle hook",
  permission: "permission",
  host: "host",
};

/** Undefined where the topic's title is enough. */
export function kindLabel(kind: string): string | undefined {
  return KINDS[kind];
}

const MEMBERS: Record<string, string> = {
  title: "Title",
  hint: "Hint",
  type: "Type",
  required: "Required",
  sensitive: "Secret",
  values: "Choices",
  format: "Format",
  events: "Events",
  operations: "Operations",
  path: "Path",
  methods: "Methods",
  access: "Access",
  name: "Name",
  purpose: "Purpose",
  ports: "Ports",
  host: "Host",
  setting: "Setting",
  optional: "Works without it",
};

export function memberLabel(member: string): string {
  // A choice of a Select is named by its value, such as `value "eu"`.
  return MEMBERS[member] ?? member.replace(/^value (?=")/, "Choice ");
}

/** The members to show: an added entry has its title in its heading, and a removed one needs no details. */
export function selectDetails({ change, name, title, details }: OfferedChange): OfferedChange["details"] {
  if (change === "removed") return [];
  if (change === "changed") return details;
  const shown = new Set([name, title]);
  return details.filter(({ before, after }) => !shown.has(after ?? before ?? ""));
}

/** What happens to the calls of an added or removed route. `to`: the number of the new version. */
export function routeEffect({ kind, change }: Pick<OfferedChange, "kind" | "change">, to: string) {
  const isRoute = kind === "webhook" || kind === "autofill" || kind === "rater";
  if (isRoute && change === "added") return `Gets its own address when ${to} starts.`;
  if (isRoute && change === "removed") return `The core can no longer call it when ${to} starts.`;
  return undefined;
}

/** Such as "2 settings, 1 secret and the mapping of 1 product". Empty if nothing is stored. */
export function describeKept(offer: Pick<UpgradeOffer, "settings" | "mappings" | "asks">): string {
  const asked = new Set(offer.asks.map(({ pointer }) => pointer));
  const isAsked = (name: string) => asked.has(settingPointer(name));
  const kept = offer.settings.filter(({ name }) => !isAsked(name));
  const secrets = kept.filter((view) => view.sensitive && view.configured).length;
  const plain = kept.filter((view) => !view.sensitive && view.value !== undefined).length;
  const mapped = offer.mappings.filter(({ fields }) => Object.keys(fields).length > 0).length;
  const parts = [
    count(plain, "setting"),
    count(secrets, "secret"),
    count(mapped, "product").replace(/^(\d+)/, "the mapping of $1"),
  ].filter((part) => part !== "");
  const last = parts.pop();
  if (last === undefined) return "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function count(number: number, noun: string): string {
  if (number === 0) return "";
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

export interface Questions {
  settings: Setting[];
  mappings: { product: ProductView; fields: MappingField[] }[];
}

/** The settings and mapping fields at these pointers. */
export function findQuestions(
  { declared, mappingFields, products }: Pick<UpgradeOffer, "declared" | "mappingFields" | "products">,
  pointers: readonly string[],
): Questions {
  const asked = new Set(pointers);
  return {
    settings: declared.filter(({ name }) => asked.has(settingPointer(name))),
    mappings: products.flatMap((product) => {
      const fields = mappingFields.filter(({ name }) => asked.has(mappingPointer(product.name, name)));
      return fields.length === 0 ? [] : [{ product, fields }];
    }),
  };
}

export function countQuestions({ settings, mappings }: Questions): number {
  return mappings.reduce((sum, { fields }) => sum + fields.length, settings.length);
}

/** The asks, with the reason why a stored answer must be given again. */
export function explainAsks(
  offer: Pick<UpgradeOffer, "declared" | "settings" | "asks" | "changes">,
): Issue[] {
  const settings = new Map(offer.declared.map((setting) => [settingPointer(setting.name), setting]));
  return offer.asks.map((ask) => {
    const setting = settings.get(ask.pointer);
    if (setting === undefined || ask.code !== "setting-ask-again") return ask;
    return { ...ask, message: explainAsk(offer, setting) };
  });
}

function explainAsk(
  { settings, changes }: Pick<UpgradeOffer, "settings" | "changes">,
  setting: Setting,
): string {
  const { name, title, type } = setting;
  const view = settings.find((each) => each.name === name);
  if (view === undefined || view.sensitive)
    return `A value for ${title} is stored but doesn't fit the new version.`;
  const stored = view.value ?? "";
  // The text of the choice is only in the version that offered it.
  const removed = changes
    .filter((change) => change.kind === "setting" && change.name === name)
    .flatMap(({ details }) => details)
    .find(({ member }) => member === `value "${stored}"`);
  return type === "Select"
    ? `Your choice “${removed?.before ?? stored}” is no longer offered.`
    : `“${stored}” is stored but doesn't fit the new version.`;
}
