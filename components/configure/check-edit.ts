/** The server's checks, before it is asked: what it alone knows, it says itself. */
import type { Issue } from "@/lib/contract/problem";
import type { Setting } from "@/lib/contract/manifest";
import { settingPointer, type KeptSetting } from "@/lib/domain/configuration";
import { mergeAnswers } from "@/lib/domain/configuration-answers";
import {
  answerOf,
  answersToSend,
  isUnfinished,
  settingsOf,
  type ConfigurationEdit,
  type EditedConfiguration,
  type ViewedSetting,
} from "./configuration-edit";

/** In the order of the page. */
export function issuesOfEdit(configuration: EditedConfiguration, edit: ConfigurationEdit): Issue[] {
  const { declared, mappingFields, products, mappings } = configuration;
  const all = settingsOf(configuration);
  const sent = answersToSend(configuration, edit);
  const kept = new Map(all.flatMap(({ setting, view }) => keptOf(setting, view)));
  const productNames = products.map((product) => product.name);
  const { issues } = mergeAnswers(
    { settings: declared, mappingFields },
    { kept, mappings, productNames },
    sent,
  );
  const unfinished = all
    .filter(({ setting, view }) => isUnfinished(setting, view, answerOf(edit, view)))
    .map(({ setting }) => unfinishedIssue(setting));
  const places = declared.map((setting) => settingPointer(setting.name));
  // Settings in their order, and then mappings, which come in theirs.
  const placeOf = ({ pointer }: Issue) =>
    places.includes(pointer) ? places.indexOf(pointer) : places.length;
  return [...issues, ...unfinished].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Whether a sealed value still fits is the server's to say: it looks. */
function keptOf(setting: Setting, view: ViewedSetting): [string, KeptSetting][] {
  if (view.sensitive)
    return view.configured ? [[setting.name, { kind: "sealed", type: setting.type, fits: true }]] : [];
  return view.value === undefined ? [] : [[setting.name, { kind: "plain", value: view.value }]];
}

function unfinishedIssue(setting: Setting): Issue {
  const verb = setting.type === "Select" ? "Choose" : "Enter";
  return {
    code: "setting-new-value",
    pointer: settingPointer(setting.name),
    message: `${verb} the new value of '${setting.title}', or keep the one that is stored.`,
  };
}
