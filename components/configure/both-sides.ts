/** Two people changed one configuration: what each of them made of it, and what is saved of both. */
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { Setting } from "@/lib/contract/manifest";
import { settingPointer } from "@/lib/domain/configuration";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import {
  actionOf,
  answerOf,
  confirmedProducts,
  pathKey,
  pathOf,
  settingsOf,
  storedPath,
  type ConfigurationEdit,
  type ViewedSetting,
} from "./configuration-edit";

/** `text` can be read back, undefined where it is skipped. Of a secret there is only what was done. */
export type Side =
  | { kind: "text"; text: string | undefined }
  | { kind: "secret"; change: "set" | "replaced" | "cleared"; by?: string; at?: string };

export interface Clash {
  pointer: string;
  title: string;
  productName?: string;
  theirs: Side;
  mine: Side;
}

export interface BothSides {
  /** Both changed it, and not to the same. */
  clashes: Clash[];
  /** Only they changed it. */
  theirs: Omit<Clash, "mine">[];
  /** Titles of what only I changed. */
  mine: string[];
  /** Titles of what I answered and the app does not ask for any more. */
  gone: string[];
}

/** `before`: what I started from. `now`: what is stored now, by somebody else. */
export function bothSides(
  before: ConfigurationView,
  now: ConfigurationView,
  edit: ConfigurationEdit,
): BothSides {
  const sides: BothSides = { clashes: [], theirs: [], mine: [], gone: goneTitles(before, now, edit) };
  const earlier = new Map(before.settings.map((view) => [view.name, view]));
  for (const { setting, view } of settingsOf(now)) {
    const place = { pointer: settingPointer(setting.name), title: setting.title };
    const theirs = theirSide(setting, earlier.get(setting.name), view);
    sort(sides, place, theirs, mySide(setting, view, edit));
  }
  for (const { name: product } of now.products) {
    for (const { name: field, title } of now.mappingFields) {
      const place = { pointer: mappingPointer(product, field), title, productName: product };
      const [was, is] = [
        storedPath(before.mappings, product, field),
        storedPath(now.mappings, product, field),
      ];
      const path = pathOf(edit, now, product, field).trim();
      const touched = edit.paths.has(pathKey(product, field)) && path !== is;
      sort(sides, place, was === is ? undefined : textSide(is), touched ? textSide(path) : undefined);
    }
  }
  return sides;
}

type Place = Pick<Clash, "pointer" | "title" | "productName">;

function sort(sides: BothSides, place: Place, theirs: Side | undefined, mine: Side | undefined) {
  if (theirs !== undefined && mine !== undefined) sides.clashes.push({ ...place, theirs, mine });
  else if (theirs !== undefined) sides.theirs.push({ ...place, theirs });
  else if (mine !== undefined) sides.mine.push(place.title);
}

function theirSide(
  setting: Setting,
  before: ViewedSetting | undefined,
  now: ViewedSetting,
): Side | undefined {
  if (!now.sensitive) {
    const was = before?.sensitive === false ? before.value : undefined;
    return was === now.value ? undefined : { kind: "text", text: shownText(setting, now.value) };
  }
  const was = before?.sensitive === true ? before : undefined;
  if (was?.configured !== true) {
    return now.configured ? { kind: "secret", change: "set", by: now.by, at: now.updatedAt } : undefined;
  }
  if (!now.configured) return { kind: "secret", change: "cleared" };
  if (was.updatedAt === now.updatedAt && was.by === now.by) return undefined;
  return { kind: "secret", change: "replaced", by: now.by, at: now.updatedAt };
}

/** Undefined where my answer changes nothing of what is stored now. */
function mySide(setting: Setting, now: ViewedSetting, edit: ConfigurationEdit): Side | undefined {
  if (!edit.answers.has(setting.name)) return undefined;
  const action = actionOf(setting, now, answerOf(edit, now));
  if (action === undefined || action.action === "keep") return undefined;
  if (!now.sensitive)
    return { kind: "text", text: action.action === "set" ? shownText(setting, action.value) : undefined };
  if (action.action === "clear") return { kind: "secret", change: "cleared" };
  return { kind: "secret", change: now.configured ? "replaced" : "set" };
}

/** What people read: a Select's text. */
export function shownText(setting: Setting, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return setting.values?.find((item) => item.value === value)?.text ?? value;
}

function textSide(path: string): Side {
  return { kind: "text", text: path === "" ? undefined : path };
}

function goneTitles(before: ConfigurationView, now: ConfigurationView, edit: ConfigurationEdit): string[] {
  const declared = new Set(now.declared.map((setting) => setting.name));
  return before.declared
    .filter(({ name }) => edit.answers.has(name) && !declared.has(name))
    .map(({ title }) => title);
}

/** My answers without those where theirs was chosen: what I still want, over what is stored now. */
export function keepMine(
  edit: ConfigurationEdit,
  now: ConfigurationView,
  theirs: ReadonlySet<string>,
): ConfigurationEdit {
  const declared = new Set(now.declared.map((setting) => setting.name));
  const wanted = now.products.flatMap(({ name: product }) =>
    now.mappingFields
      .filter(({ name: field }) => !theirs.has(mappingPointer(product, field)))
      .map(({ name: field }) => pathKey(product, field)),
  );
  const mapped = new Set(wanted);
  return {
    answers: new Map(
      [...edit.answers].filter(([name]) => declared.has(name) && !theirs.has(settingPointer(name))),
    ),
    paths: new Map([...edit.paths].filter(([key]) => mapped.has(key))),
    // Where they mapped the product anew, there is nothing to confirm any more.
    confirmed: new Set(confirmedProducts(now, edit)),
  };
}
