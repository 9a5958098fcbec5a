/** The server's checks, before it is asked: what it alone knows, it says itself. */
import type { Issue } from "@/lib/contract/problem";
import type { Setting } from "@/lib/contract/manifest";
import { mergeSettings, settingPointer, type KeptSetting } from "@/lib/domain/configuration";
import { checkMappings, mergePaths } from "@/lib/domain/mapping/check-mappings";
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
  const merged = mergeSettings(declared, kept, sent.settings).issues;
  const unfinished = all
    .filter(({ setting, view }) => isUnfinished(setting, view, answerOf(edit, view)))
    .map(({ setting }) => unfinishedIssue(setting));
  const names = products.map((product) => product.name);
  const present = mappings.filter((mapping) => names.includes(mapping.productName));
  const mapped = checkMappings(mappingFields, names, mergePaths(mappingFields, present, sent.mappings));
  const places = declared.map((setting) => settingPointer(setting.name));
  const ofSettings = [...merged, ...unfinished].sort(
    (one, other) => places.indexOf(one.pointer) - places.indexOf(other.pointer),
  );
  return [...ofSettings, ...mapped.issues];
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
