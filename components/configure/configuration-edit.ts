/** What a person changed of a configuration and did not save yet. Pure: a page holds it, and nothing stores it. */
import type { ConfigurationView } from "@/lib/contract/configuration-view";
import type { ConfigurationInput, SettingAction } from "@/lib/contract/installation";
import type { Setting } from "@/lib/contract/manifest";

export type SecretChoice = "keep" | "replace" | "clear";

/** `value`: undefined is skipped, or not typed yet. */
export type Answer =
  | { kind: "plain"; value: string | undefined }
  | { kind: "secret"; choice: SecretChoice; value: string | undefined };

/** Only what was touched; what is not in it stays as it is stored. */
export interface ConfigurationEdit {
  /** By setting name. */
  answers: ReadonlyMap<string, Answer>;
  /** By product and field, as JSON of the two. */
  paths: ReadonlyMap<string, string>;
  /** Products whose schema changed, and whose mapping is right as it is. */
  confirmed: ReadonlySet<string>;
}

/** What the functions here read of a configuration, or of what another version would take over. */
export type EditedConfiguration = Pick<
  ConfigurationView,
  "declared" | "mappingFields" | "settings" | "mappings" | "products"
>;

/** A setting as it is stored: with its value, or of a secret that there is one. */
export type ViewedSetting = ConfigurationView["settings"][number];

export const NO_EDIT: ConfigurationEdit = { answers: new Map(), paths: new Map(), confirmed: new Set() };

export function withAnswer(edit: ConfigurationEdit, name: string, answer: Answer): ConfigurationEdit {
  return { ...edit, answers: new Map(edit.answers).set(name, answer) };
}

export function withPath(
  edit: ConfigurationEdit,
  product: string,
  field: string,
  path: string,
): ConfigurationEdit {
  return { ...edit, paths: new Map(edit.paths).set(pathKey(product, field), path) };
}

export function withConfirmed(edit: ConfigurationEdit, product: string, isRight: boolean): ConfigurationEdit {
  const others = [...edit.confirmed].filter((name) => name !== product);
  return { ...edit, confirmed: new Set(isRight ? [...others, product] : others) };
}

export function pathKey(product: string, field: string): string {
  return JSON.stringify([product, field]);
}

/** Each declared setting with how it is stored. */
export function settingsOf({
  declared,
  settings,
}: EditedConfiguration): { setting: Setting; view: ViewedSetting }[] {
  const views = new Map(settings.map((view) => [view.name, view]));
  return declared.map((setting) => ({
    setting,
    view: views.get(setting.name) ?? { name: setting.name, sensitive: false, value: undefined },
  }));
}

/** What stands in a setting's input. What was typed before the setting was sealed, or opened, is taken along. */
export function answerOf(edit: ConfigurationEdit, view: ViewedSetting): Answer {
  const given = edit.answers.get(view.name);
  if (!view.sensitive) return { kind: "plain", value: given === undefined ? view.value : given.value };
  if (given === undefined) return { kind: "secret", choice: "keep", value: undefined };
  if (given.kind === "secret") return given;
  return { kind: "secret", choice: given.value === undefined ? "keep" : "replace", value: given.value };
}

/** Undefined where nothing is to be sent, so that what is stored is kept. */
export function actionOf(setting: Setting, view: ViewedSetting, answer: Answer): SettingAction | undefined {
  const value = typedValue(setting, answer.value);
  if (view.sensitive) {
    if (answer.kind !== "secret" || answer.choice === "keep") return undefined;
    if (answer.choice === "clear") return view.configured ? { action: "clear" } : undefined;
    return value === undefined ? undefined : { action: "set", value };
  }
  if (answer.value === view.value || value === view.value) return undefined;
  if (value !== undefined) return { action: "set", value };
  // Emptied: a required setting is sent as empty, for the check to name it.
  return setting.required === true ? { action: "set", value: "" } : { action: "clear" };
}

/** An emptied text is no value; of a Select the empty one may be offered. */
function typedValue(setting: Setting, value: string | undefined): string | undefined {
  return value === "" && setting.type !== "Select" ? undefined : value;
}

/** A secret that is to be replaced, and the new value is not there yet. */
export function isUnfinished(setting: Setting, view: ViewedSetting, answer: Answer): boolean {
  return (
    view.sensitive &&
    view.configured &&
    answer.kind === "secret" &&
    answer.choice === "replace" &&
    typedValue(setting, answer.value) === undefined
  );
}

/** The path that stands in a mapping field's input; empty where it is skipped. */
export function pathOf(
  edit: ConfigurationEdit,
  { mappings }: Pick<EditedConfiguration, "mappings">,
  product: string,
  field: string,
): string {
  return edit.paths.get(pathKey(product, field)) ?? storedPath(mappings, product, field);
}

export function storedPath(
  mappings: EditedConfiguration["mappings"],
  product: string,
  field: string,
): string {
  const fields = mappings.find((mapping) => mapping.productName === product)?.fields ?? {};
  return new Map(Object.entries(fields)).get(field) ?? "";
}

function storedPaths({ mappingFields, mappings }: EditedConfiguration, product: string): [string, string][] {
  return mappingFields.flatMap(({ name }): [string, string][] => {
    const path = storedPath(mappings, product, name);
    return path === "" ? [] : [[name, path]];
  });
}

/** Of a product, what is to be sent of its mapping. */
export function changedPaths(
  configuration: EditedConfiguration,
  edit: ConfigurationEdit,
  product: string,
): [field: string, path: string][] {
  return configuration.mappingFields.flatMap((field): [string, string][] => {
    const path = pathOf(edit, configuration, product, field.name).trim();
    return path === storedPath(configuration.mappings, product, field.name) ? [] : [[field.name, path]];
  });
}

/** Products whose mapping is said to be right for the schema as it is now, with no path changed. */
export function confirmedProducts(configuration: EditedConfiguration, edit: ConfigurationEdit): string[] {
  return configuration.products.flatMap(({ name, changedSinceMapped }) =>
    changedSinceMapped && edit.confirmed.has(name) && changedPaths(configuration, edit, name).length === 0
      ? [name]
      : [],
  );
}

/** The answers to send: nothing of what is kept, but the paths that are said to be right as they are. */
export function answersToSend(
  configuration: EditedConfiguration,
  edit: ConfigurationEdit,
): Pick<ConfigurationInput, "settings" | "mappings"> {
  const settings = settingsOf(configuration).flatMap(({ setting, view }): [string, SettingAction][] => {
    const action = actionOf(setting, view, answerOf(edit, view));
    return action === undefined ? [] : [[setting.name, action]];
  });
  const confirmed = new Set(confirmedProducts(configuration, edit));
  const mappings = configuration.products.flatMap(({ name }): [string, Record<string, string>][] => {
    const paths = confirmed.has(name)
      ? storedPaths(configuration, name)
      : changedPaths(configuration, edit, name);
    return paths.length === 0 && !confirmed.has(name) ? [] : [[name, Object.fromEntries(paths)]];
  });
  return { settings: Object.fromEntries(settings), mappings: Object.fromEntries(mappings) };
}

/** Without answers that change nothing: what was typed and taken back is not touched. */
export function onlyChanges(configuration: EditedConfiguration, edit: ConfigurationEdit): ConfigurationEdit {
  const sent = answersToSend(configuration, edit);
  const changed = new Set(Object.keys(sent.settings));
  const waiting = settingsOf(configuration).filter(({ setting, view }) =>
    isUnfinished(setting, view, answerOf(edit, view)),
  );
  for (const { setting } of waiting) changed.add(setting.name);
  const mapped = new Set(
    configuration.products.flatMap(({ name }) =>
      changedPaths(configuration, edit, name).map(([field]) => pathKey(name, field)),
    ),
  );
  return {
    answers: new Map([...edit.answers].filter(([name]) => changed.has(name))),
    paths: new Map([...edit.paths].filter(([key]) => mapped.has(key))),
    confirmed: new Set(confirmedProducts(configuration, edit)),
  };
}
