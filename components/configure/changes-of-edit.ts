/** What saving would change, and the one line that says it. */
import type { ConfigurationEdit, EditedConfiguration } from "./configuration-edit";
import { answerOf, answersToSend, confirmedProducts, isUnfinished, settingsOf } from "./configuration-edit";

export interface EditChanges {
  /** Settings that can be read back. */
  settings: number;
  /** Secrets, by what happens to them. */
  secrets: { title: string; change: "set" | "replaced" | "cleared" }[];
  /** Mapping fields of all products. */
  mappings: number;
  /** Products whose mapping is found right as it is. */
  confirmed: string[];
  /** Secrets that are to be replaced, with nothing typed yet. */
  unfinished: string[];
}

export function changesOfEdit(configuration: EditedConfiguration, edit: ConfigurationEdit): EditChanges {
  const sent = answersToSend(configuration, edit);
  const actions = new Map(Object.entries(sent.settings));
  const confirmed = confirmedProducts(configuration, edit);
  const changes: EditChanges = { settings: 0, secrets: [], mappings: 0, confirmed, unfinished: [] };
  for (const { setting, view } of settingsOf(configuration)) {
    const action = actions.get(setting.name);
    if (isUnfinished(setting, view, answerOf(edit, view))) changes.unfinished.push(setting.title);
    if (action === undefined) continue;
    if (!view.sensitive) changes.settings += 1;
    else {
      const change = action.action === "clear" ? "cleared" : view.configured ? "replaced" : "set";
      changes.secrets.push({ title: setting.title, change });
    }
  }
  for (const [product, fields] of Object.entries(sent.mappings))
    if (!confirmed.includes(product)) changes.mappings += Object.keys(fields).length;
  return changes;
}

export function hasChanges({ settings, secrets, mappings, confirmed, unfinished }: EditChanges): boolean {
  return settings + secrets.length + mappings + confirmed.length + unfinished.length > 0;
}

/** More secrets, or products, than these are counted, not named. */
const NAMED = 2;

/** Such as "2 settings changed, Provider key replaced". Empty where nothing changes. */
export function changesInWords({ settings, secrets, mappings, confirmed, unfinished }: EditChanges): string {
  const parts = settings === 0 ? [] : [`${counted(settings, "setting")} changed`];
  for (const change of ["set", "replaced", "cleared"] as const) {
    const titles = secrets.filter((secret) => secret.change === change).map(({ title }) => title);
    if (titles.length > NAMED) parts.push(`${titles.length} secrets ${change}`);
    else parts.push(...titles.map((title) => `${title} ${change}`));
  }
  if (mappings > 0) parts.push(`${counted(mappings, "mapping field")} changed`);
  if (confirmed.length > NAMED) parts.push(`${confirmed.length} mappings confirmed`);
  else parts.push(...confirmed.map((product) => `mapping of ${product} confirmed`));
  if (unfinished.length > NAMED) parts.push(`${unfinished.length} secrets wait for a new value`);
  else parts.push(...unfinished.map((title) => `${title} waits for a new value`));
  return parts.join(", ");
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
