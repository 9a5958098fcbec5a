/** What an upgrade asks, and what the answers send. Pure; what is neither asked nor offered is kept, and not sent. */
import type { ProductView, UpgradeOffer } from "@/lib/contract/configuration-view";
import type { SettingAction, UpgradeInput } from "@/lib/contract/installation";
import type { MappingField, Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { mergeSettings, settingPointer } from "@/lib/domain/configuration";
import { checkMappings, mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { choicesOf, type SettingChoices } from "@/lib/domain/setting-choices";

/** What was answered so far. A secret is nowhere else. */
export interface UpgradeAnswers {
  /** By setting name; undefined: emptied. */
  values: ReadonlyMap<string, string | undefined>;
  /** Names of the settings that are asked and are to be skipped. */
  skipped: ReadonlySet<string>;
  /** By pointer. */
  paths: ReadonlyMap<string, string>;
}

export const NO_ANSWERS: UpgradeAnswers = { values: new Map(), skipped: new Set(), paths: new Map() };

export interface SettingQuestion {
  pointer: string;
  setting: Setting;
  choices: SettingChoices;
  /** What is stored and can be read; undefined for a secret too. */
  stored: string | undefined;
  /** Why it is asked; undefined: it is only offered. */
  ask: Issue | undefined;
  /** It is asked, and the app does without it. */
  maySkip: boolean;
}

export interface ProductQuestion {
  product: ProductView;
  fields: MappingField[];
  isAsked: boolean;
}

export interface Questions {
  settings: SettingQuestion[];
  mappings: ProductQuestion[];
}

export function askedOf(offer: UpgradeOffer): Questions {
  return questionsAt(offer, new Map(offer.asks.map((ask) => [ask.pointer, ask])));
}

export function offeredOf(offer: UpgradeOffer): Questions {
  return questionsAt(offer, new Map(offer.offers.map((pointer) => [pointer, undefined])));
}

export function countOf({ settings, mappings }: Questions): number {
  return mappings.reduce((count, { fields }) => count + fields.length, settings.length);
}

function questionsAt(offer: UpgradeOffer, places: ReadonlyMap<string, Issue | undefined>): Questions {
  const views = new Map(offer.settings.map((view) => [view.name, view]));
  const settings = offer.declared.flatMap((setting): SettingQuestion[] => {
    const pointer = settingPointer(setting.name);
    if (!places.has(pointer)) return [];
    const ask = places.get(pointer);
    const view = views.get(setting.name) ?? { name: setting.name, sensitive: false, value: undefined };
    const known = view.sensitive ? view : { ...view, value: view.value };
    const maySkip = ask !== undefined && setting.required !== true;
    const stored = known.sensitive ? undefined : known.value;
    return [{ pointer, setting, choices: choicesOf(setting, known, ask), stored, ask, maySkip }];
  });
  const mappings = offer.products.flatMap((product): ProductQuestion[] => {
    const at = (field: MappingField) => mappingPointer(product.name, field.name);
    const fields = offer.mappingFields.filter((field) => places.has(at(field)));
    const isAsked = fields.some((field) => places.get(at(field)) !== undefined);
    return fields.length === 0 ? [] : [{ product, fields, isAsked }];
  });
  return { settings, mappings };
}

/** What stands in a setting's input. */
export function valueOf({ setting, choices }: SettingQuestion, answers: UpgradeAnswers): string | undefined {
  return answers.values.has(setting.name) ? answers.values.get(setting.name) : choices.shown;
}

/** What stands in a mapping field's input: what is stored, until it is changed. */
export function pathIn(offer: UpgradeOffer, answers: UpgradeAnswers, product: string, field: string): string {
  const typed = answers.paths.get(mappingPointer(product, field));
  if (typed !== undefined) return typed;
  const fields = offer.mappings.find(({ productName }) => productName === product)?.fields ?? {};
  return new Map(Object.entries(fields)).get(field) ?? "";
}

type Sent = Pick<UpgradeInput, "settings" | "mappings">;

export function answersToSend(offer: UpgradeOffer, answers: UpgradeAnswers): Sent {
  const [asked, offered] = [askedOf(offer), offeredOf(offer)];
  const settings = [...asked.settings, ...offered.settings].flatMap((question) => {
    const action = actionOf(question, answers);
    return action === undefined ? [] : [[question.setting.name, action] as const];
  });
  const paths = new Map<string, Map<string, string>>();
  for (const { product, fields, isAsked } of [...asked.mappings, ...offered.mappings]) {
    const ofProduct = paths.get(product.name) ?? new Map<string, string>();
    for (const { name } of fields) {
      const path = pathIn(offer, answers, product.name, name).trim();
      // What is asked is sent even when it is empty: that skips it, or is named as missing.
      if (isAsked || path !== "") ofProduct.set(name, path);
    }
    if (ofProduct.size > 0) paths.set(product.name, ofProduct);
  }
  return {
    settings: Object.fromEntries(settings),
    mappings: Object.fromEntries([...paths].map(([name, fields]) => [name, Object.fromEntries(fields)])),
  };
}

function actionOf(question: SettingQuestion, answers: UpgradeAnswers): SettingAction | undefined {
  const { setting, maySkip } = question;
  if (maySkip && answers.skipped.has(setting.name)) return { action: "clear" };
  const value = valueOf(question, answers);
  if (value === undefined || (value === "" && setting.type !== "Select")) return undefined;
  return { action: "set", value };
}

/** Everything that is still to be answered, or was answered wrong, in the order of the page. */
export function issuesOf(offer: UpgradeOffer, answers: UpgradeAnswers): Issue[] {
  const [asked, offered] = [askedOf(offer), offeredOf(offer)];
  return [...issuesIn(asked, offer, answers), ...issuesIn(offered, offer, answers)];
}

function issuesIn({ settings, mappings }: Questions, offer: UpgradeOffer, answers: UpgradeAnswers): Issue[] {
  const ofSettings = settings.flatMap((question) => {
    const action = actionOf(question, answers);
    if (action === undefined) return question.ask ?? [];
    return mergeSettings([question.setting], new Map(), { [question.setting.name]: action }).issues;
  });
  const ofMappings = mappings.flatMap(({ product, fields }) => {
    const paths = fields.map(({ name }) => [name, pathIn(offer, answers, product.name, name)] as const);
    return checkMappings(fields, [product.name], { [product.name]: Object.fromEntries(paths) }).issues;
  });
  return [...ofSettings, ...ofMappings];
}

/** Something was typed or decided that would be lost. */
export function isTouched({ values, skipped, paths }: UpgradeAnswers): boolean {
  return values.size + skipped.size + paths.size > 0;
}

export function withValue(answers: UpgradeAnswers, name: string, value: string | undefined): UpgradeAnswers {
  return { ...answers, values: new Map(answers.values).set(name, value) };
}

export function withSkip(answers: UpgradeAnswers, name: string, isSkipped: boolean): UpgradeAnswers {
  const skipped = new Set(answers.skipped);
  if (isSkipped) skipped.add(name);
  else skipped.delete(name);
  return { ...answers, skipped };
}

export function withPath(answers: UpgradeAnswers, pointer: string, path: string): UpgradeAnswers {
  return { ...answers, paths: new Map(answers.paths).set(pointer, path) };
}
