/** Two people changed one configuration: what each of them changed, and what is saved. */
import type { SettingView } from "@/lib/contract/catalog/configuration";
import type { Setting } from "@/lib/contract/catalog/manifest";
import type { ConfigurationView } from "@/lib/contract/installations/configuration-view";
import { AnswerSheet, type ChosenAnswers } from "@/lib/domain/catalog/answer-sheet";
import { choiceText, settingPointer } from "@/lib/domain/catalog/configuration";
import { mappingPointer } from "@/lib/domain/catalog/mapping/check-mappings";

/** `text` is undefined if the entry is skipped. A secret only has what was done to it. */
export type Side =
  | { kind: "text"; text: string | undefined }
  | { kind: "secret"; change: "set" | "replaced" | "cleared"; by?: string; at?: string };

interface Entry {
  pointer: string;
  title: string;
  productName?: string;
}

export interface Conflict extends Entry {
  theirs: Side;
  mine: Side;
}

interface BothSides {
  /** Both changed it, and to different values. */
  conflicts: Conflict[];
  /** Only they changed it. */
  theirs: Omit<Conflict, "mine">[];
  /** Titles of what only I changed. */
  mine: string[];
  /** Titles of what I answered and the app no longer asks for. */
  gone: string[];
}

/** `before`: what I started from. `now`: what somebody else has saved since. */
export function compareSides(
  before: ConfigurationView,
  now: ConfigurationView,
  answers: ChosenAnswers,
): BothSides {
  const sides: BothSides = { conflicts: [], theirs: [], mine: [], gone: [] };
  const [old, current] = [new AnswerSheet(before, answers), new AnswerSheet(now, answers)];
  const add = (entry: Entry, theirs: Side | undefined, mine: Side | undefined) => {
    if (theirs !== undefined && mine !== undefined) sides.conflicts.push({ ...entry, theirs, mine });
    else if (theirs !== undefined) sides.theirs.push({ ...entry, theirs });
    else if (mine !== undefined) sides.mine.push(entry.title);
  };
  for (const setting of now.declared) {
    const entry = { pointer: settingPointer(setting.name), title: setting.title };
    const view = current.view(setting);
    add(entry, describeTheirs(setting, old.view(setting), view), describeMine(current, setting, view));
  }
  for (const { name: product } of now.products) {
    const changed = new Map(current.changedPaths(product));
    for (const { name: field, title } of now.mappingFields) {
      const entry = { pointer: mappingPointer(product, field), title, productName: product };
      const stored = current.storedPath(product, field);
      const path = changed.get(field);
      const isSame = old.storedPath(product, field) === stored;
      add(entry, isSame ? undefined : toSide(stored), path === undefined ? undefined : toSide(path));
    }
  }
  const declared = new Set(now.declared.map(({ name }) => name));
  sides.gone = before.declared
    .filter(({ name }) => answers.has(settingPointer(name)) && !declared.has(name))
    .map(({ title }) => title);
  return sides;
}

function toSide(path: string): Side {
  return { kind: "text", text: path === "" ? undefined : path };
}

function describeTheirs(
  setting: Setting,
  before: SettingView | undefined,
  now: SettingView | undefined,
): Side | undefined {
  if (now?.sensitive !== true) {
    const old = before?.sensitive === false ? before.value : undefined;
    return old === now?.value ? undefined : { kind: "text", text: choiceText(setting, now?.value) };
  }
  const old = before?.sensitive === true ? before : undefined;
  if (old?.configured !== true)
    return now.configured ? { kind: "secret", change: "set", by: now.by, at: now.updatedAt } : undefined;
  if (!now.configured) return { kind: "secret", change: "cleared" };
  if (old.updatedAt === now.updatedAt && old.by === now.by) return undefined;
  return { kind: "secret", change: "replaced", by: now.by, at: now.updatedAt };
}

/** Undefined if my answer changes nothing that is stored now. */
function describeMine(sheet: AnswerSheet, setting: Setting, now: SettingView | undefined): Side | undefined {
  const action = sheet.action(setting);
  if (action === undefined || action.action === "keep") return undefined;
  if (now?.sensitive === true) return { kind: "secret", change: describeSecret(action.action, now) };
  return { kind: "text", text: action.action === "set" ? choiceText(setting, action.value) : undefined };
}

function describeSecret(
  action: "set" | "clear",
  view: SettingView | undefined,
): "set" | "replaced" | "cleared" {
  if (action === "clear") return "cleared";
  return view?.sensitive === true && view.configured ? "replaced" : "set";
}

/** My answers to what is asked now, without those for which theirs was chosen. */
export function keepMine(
  answers: ChosenAnswers,
  now: ConfigurationView,
  theirs: ReadonlySet<string>,
): ChosenAnswers {
  const { declared, products, mappingFields } = now;
  // A mapping that they saved again needs no confirmation.
  const changed = products.filter(({ changedSinceMapped }) => changedSinceMapped);
  const asked = new Set([
    ...declared.map(({ name }) => settingPointer(name)),
    ...changed.map(({ name }) => mappingPointer(name)),
    ...products.flatMap(({ name }) => mappingFields.map((field) => mappingPointer(name, field.name))),
  ]);
  return new Map([...answers].filter(([pointer]) => asked.has(pointer) && !theirs.has(pointer)));
}

/** More secrets or products than these are counted, not named. */
const NAMED = 2;

/** Such as "2 settings changed, Provider key replaced". Empty if nothing changes. */
export function describeChanges(sheet: AnswerSheet): string {
  const { settings, mappings } = sheet.toSend();
  const { declared, products } = sheet.form;
  const actions = new Map(Object.entries(settings));
  const parts: string[] = [];
  const list = (titles: string[], verb: string, noun: string) => {
    if (titles.length > NAMED) parts.push(`${titles.length} ${noun} ${verb}`);
    else parts.push(...titles.map((title) => `${title} ${verb}`));
  };
  const isSecret = (setting: Setting) => sheet.view(setting)?.sensitive === true;
  const plain = declared.filter((setting) => actions.has(setting.name) && !isSecret(setting)).length;
  if (plain > 0) parts.push(`${count(plain, "setting")} changed`);
  for (const change of ["set", "replaced", "cleared"] as const) {
    const changed = declared.filter((setting) => {
      const action = actions.get(setting.name);
      if (action === undefined || action.action === "keep" || !isSecret(setting)) return false;
      return describeSecret(action.action, sheet.view(setting)) === change;
    });
    list(
      changed.map(({ title }) => title),
      change,
      "secrets",
    );
  }
  const kept = products.filter(({ name }) => sheet.isMappingKept(name)).map(({ name }) => name);
  const fields = Object.entries(mappings)
    .filter(([product]) => !kept.includes(product))
    .reduce((sum, [, paths]) => sum + Object.keys(paths).length, 0);
  if (fields > 0) parts.push(`${count(fields, "mapping field")} changed`);
  list(
    kept.map((product) => `mapping of ${product}`),
    "kept",
    "mappings",
  );
  return parts.join(", ");
}

/** Such as "Enter a new Provider key". Empty if no secret waits for its new value. */
export function describeUnfinished(sheet: AnswerSheet): string {
  const [first, ...others] = sheet.form.declared.filter((setting) => sheet.isUnfinished(setting));
  if (first === undefined) return "";
  return others.length === 0 ? `Enter a new ${first.title}` : `Enter ${others.length + 1} new secrets`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
