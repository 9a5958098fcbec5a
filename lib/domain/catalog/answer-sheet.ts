/**
 * The answers of one form while a customer fills it in. Launch, configure, upgrade and the editor's preview share it.
 * Answers are keyed by JSON pointer: `/settings/<name>`, `/mappings/<product>/<field>`, and `/mappings/<product>` to keep
 * a mapping whose schema changed. Pure: nothing here stores an answer.
 */
import type { SettingAction, SettingView } from "@/lib/contract/catalog/configuration";
import type { MappingField, Setting } from "@/lib/contract/catalog/manifest";
import type { ConfigurationCode } from "@/lib/contract/platform/issue-codes";
import { isSensitive } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import { type Answers, fitsSetting, type KeptSetting, mergeAnswers, settingPointer } from "./configuration";
import { type Mapping, mappingPointer } from "./mapping/check-mappings";

/** What a form asks and what is stored already. A configuration and an upgrade offer have this shape. */
export interface AnswerForm {
  declared: readonly Setting[];
  mappingFields: readonly MappingField[];
  settings: readonly SettingView[];
  mappings: readonly Mapping[];
  products: readonly { name: string; schema?: unknown; changedSinceMapped?: boolean }[];
  /** What must be answered again: stored answers that do not fit this version, and secrets that a draft lost. */
  asks?: readonly Issue[];
}

export interface Answer {
  action: "keep" | "set" | "clear";
  /** The value or the path. It survives while the customer tries another action. */
  text?: string;
}

export type ChosenAnswers = ReadonlyMap<string, Answer>;

export const UNTOUCHED: ChosenAnswers = new Map();

/** The code of the request for a secret that a draft lost. Nothing is stored for it. */
export const LOST_SECRET: ConfigurationCode = "setting-lost";

const KEEP: Answer = { action: "keep" };

/** `undefined` takes an answer back. A function gets the answer before. */
export type AnswerChange = readonly [
  pointer: string,
  answer: Answer | undefined | ((before: Answer | undefined) => Answer | undefined),
];

/** Takes back what was entered. Another choice stays. */
export function takeBackText(before: Answer | undefined): Answer | undefined {
  return before === undefined || before.action === "set" ? undefined : { action: before.action };
}

export function withAnswers(answers: ChosenAnswers, changes: readonly AnswerChange[]): ChosenAnswers {
  const changed = new Map(answers);
  for (const [pointer, given] of changes) {
    const answer = typeof given === "function" ? given(changed.get(pointer)) : given;
    if (answer === undefined) changed.delete(pointer);
    else changed.set(pointer, answer);
  }
  return changed;
}

/** Immutable: a changed answer makes a new sheet. Answers to anything that the form does not ask are kept and not sent. */
export class AnswerSheet {
  readonly #views: ReadonlyMap<string, SettingView>;
  readonly #storedPaths: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly #asks: ReadonlyMap<string, Issue>;

  constructor(
    readonly form: AnswerForm,
    readonly answers: ChosenAnswers,
  ) {
    this.#views = new Map(form.settings.map((view) => [view.name, view]));
    this.#storedPaths = new Map(
      form.mappings.map(({ productName, fields }) => [productName, new Map(Object.entries(fields))]),
    );
    this.#asks = new Map(form.asks?.map((ask) => [ask.pointer, ask]));
  }

  /** How the setting is stored; undefined in a launch, which has nothing stored. */
  view({ name }: Setting): SettingView | undefined {
    return this.#views.get(name);
  }

  /** Why an answer must be given again. */
  ask(pointer: string): Issue | undefined {
    return this.#asks.get(pointer);
  }

  choices(setting: Setting): SettingChoices {
    return settingChoices(setting, this.view(setting), this.ask(settingPointer(setting.name)));
  }

  /** What the customer chose. A choice that the Select no longer offers does not count. */
  answer(setting: Setting): Answer {
    const given = this.answers.get(settingPointer(setting.name)) ?? KEEP;
    const isGone =
      setting.type === "Select" &&
      given.action === "set" &&
      given.text !== undefined &&
      setting.values?.some(({ value }) => value === given.text) !== true;
    return isGone ? KEEP : given;
  }

  /** The value in the setting's input. */
  value(setting: Setting): string | undefined {
    const { action, text } = this.answer(setting);
    if (action === "keep") return this.choices(setting).shown;
    return action === "set" ? text : undefined;
  }

  /** What to send for the setting; undefined keeps what is stored. */
  action(setting: Setting): SettingAction | undefined {
    const view = this.view(setting);
    const { action, text } = this.answer(setting);
    const stored = view?.sensitive === false ? view.value : undefined;
    const isStored = view?.sensitive === true ? view.configured : stored !== undefined;
    if (action === "keep") return undefined;
    if (action === "set" && !isBlank(setting, text))
      return text === undefined || text === stored ? undefined : { action: "set", value: text };
    const isCleared =
      action === "clear" || (stored !== undefined && !this.#asks.has(settingPointer(setting.name)));
    return isCleared && isStored ? { action: "clear" } : undefined;
  }

  /** "Replace" is chosen for a stored secret, and the new value is still missing. */
  isUnfinished(setting: Setting): boolean {
    const { action, text } = this.answer(setting);
    if (action !== "set" || !isBlank(setting, text)) return false;
    const { kind, keep } = this.choices(setting);
    return kind === "secret" && keep;
  }

  storedPath(product: string, field: string): string {
    return this.#storedPaths.get(product)?.get(field) ?? "";
  }

  /** The path in a mapping field's input; empty when it is skipped. */
  path(product: string, field: string): string {
    return this.answers.get(mappingPointer(product, field))?.text ?? this.storedPath(product, field);
  }

  /** The fields of a product whose path differs from the stored one, each with its new path. */
  changedPaths(product: string): [field: string, path: string][] {
    return this.form.mappingFields.flatMap(({ name }): [string, string][] => {
      const path = this.path(product, name).trim();
      return path === this.storedPath(product, name) ? [] : [[name, path]];
    });
  }

  /** The customer keeps the mapping of a product whose schema changed, and changes no path of it. */
  isMappingKept(product: string): boolean {
    const changed = this.form.products.find(({ name }) => name === product)?.changedSinceMapped === true;
    const chosen = this.answers.get(mappingPointer(product))?.action === "keep";
    return changed && chosen && this.changedPaths(product).length === 0;
  }

  /** Only what changes, and the mappings that are kept for a changed schema. */
  toSend(): Answers {
    const { declared, mappingFields, products } = this.form;
    const settings = declared.flatMap((setting): [string, SettingAction][] => {
      const action = this.action(setting);
      return action === undefined ? [] : [[setting.name, action]];
    });
    const mappings = products.flatMap(({ name }): [string, Record<string, string>][] => {
      const isKept = this.isMappingKept(name);
      const stored = mappingFields.map((field): [string, string] => [
        field.name,
        this.storedPath(name, field.name),
      ]);
      const paths = isKept ? stored.filter(([, path]) => path !== "") : this.changedPaths(name);
      return paths.length === 0 && !isKept ? [] : [[name, Object.fromEntries(paths)]];
    });
    return { settings: Object.fromEntries(settings), mappings: Object.fromEntries(mappings) };
  }

  /** The server's checks, in the order of the form. Only the server knows whether a stored secret still fits. */
  issues(): Issue[] {
    const { declared, mappingFields, mappings, products } = this.form;
    const kept = new Map(declared.flatMap((setting) => this.#kept(setting)));
    const productNames = products.map(({ name }) => name);
    const asked = { settings: declared, mappingFields };
    const { issues } = mergeAnswers(asked, { kept, mappings, productNames }, this.toSend());
    const unfinished = declared.filter((setting) => this.isUnfinished(setting)).map(missingReplacement);
    const lost = declared.flatMap((setting) => this.#lost(setting));
    const lostPointers = new Set(lost.map(({ pointer }) => pointer));
    const others = issues.filter(({ pointer }) => !lostPointers.has(pointer));
    const order = new Map(declared.map(({ name }, index) => [settingPointer(name), index]));
    const position = ({ pointer }: Issue) => order.get(pointer) ?? declared.length;
    return [...others, ...lost, ...unfinished].sort((one, other) => position(one) - position(other));
  }

  /** A secret that was entered before and lost since: it is entered again, or skipped on purpose. */
  #lost(setting: Setting): Issue[] {
    const ask = this.ask(settingPointer(setting.name));
    if (ask?.code !== LOST_SECRET || this.action(setting) !== undefined) return [];
    return this.answer(setting).action === "clear" ? [] : [ask];
  }

  #kept(setting: Setting): [string, KeptSetting][] {
    const view = this.view(setting);
    const fits = this.ask(settingPointer(setting.name)) === undefined;
    if (view?.sensitive === true)
      return view.configured ? [[setting.name, { kind: "sealed", type: setting.type, fits }]] : [];
    return view?.value === undefined ? [] : [[setting.name, { kind: "plain", value: view.value }]];
  }

  /** The answers that change something. Leaves out what was typed and undone. */
  changes(): ChosenAnswers {
    const { declared, products } = this.form;
    const changed = new Set([
      ...declared
        .filter((setting) => this.action(setting) !== undefined || this.isUnfinished(setting))
        .map(({ name }) => settingPointer(name)),
      ...products.flatMap(({ name }) => [
        ...this.changedPaths(name).map(([field]) => mappingPointer(name, field)),
        ...(this.isMappingKept(name) ? [mappingPointer(name)] : []),
      ]),
    ]);
    return new Map([...this.answers].filter(([pointer]) => changed.has(pointer)));
  }
}

/** An empty text is not a value, but a Select may offer an empty value. */
function isBlank({ type }: Setting, text: string | undefined): boolean {
  return text === undefined || (text === "" && type !== "Select");
}

function missingReplacement({ type, name, title }: Setting): Issue {
  const verb = type === "Select" ? "Choose" : "Enter";
  return {
    code: "setting-new-value",
    pointer: settingPointer(name),
    message: `${verb} a new ${title}, or keep the stored one.`,
  };
}

/** What a form offers for one setting. */
export interface SettingChoices {
  /** A secret is never shown. What was stored as a secret stays one, whatever the manifest declares now. */
  kind: "secret" | "plain";
  /** A value is stored, and it fits the setting as it is declared now. */
  keep: boolean;
  /** A value is stored, and the app works without it. */
  clear: boolean;
  /** What is chosen before the customer touches it. */
  first: "keep" | "set" | "skip";
  /** The value in the input; always undefined for a secret. */
  shown: string | undefined;
}

/** `ask`: the issue that merging without answers finds for this setting. Only the server knows whether a secret fits. */
export function settingChoices(setting: Setting, view?: SettingView, ask?: Issue): SettingChoices {
  const value = view?.sensitive === false ? view.value : undefined;
  const isSecret = view?.sensitive === true || isSensitive(setting);
  const configured = view?.sensitive === true ? view.configured : value !== undefined;
  const fits = value === undefined || fitsSetting(setting, value);
  const keep = configured && fits && ask === undefined;
  const isAsked = setting.required === true || configured || ask !== undefined;
  // A Select has no option for a value that it no longer offers.
  const shown = isSecret || (setting.type === "Select" && !fits) ? undefined : value;
  return {
    kind: isSecret ? "secret" : "plain",
    keep,
    clear: configured && setting.required !== true,
    first: keep ? "keep" : isAsked ? "set" : "skip",
    shown,
  };
}
