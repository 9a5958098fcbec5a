/** What a form for changing a configuration offers for one setting. */
import type { SettingView } from "@/lib/contract/installation";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { fitsSetting } from "./configuration";

export interface SettingChoices {
  /** A secret is never shown; one that was hidden once stays one, whatever the manifest says today. */
  kind: "secret" | "plain";
  /** Something is stored, and it does for the setting as it is declared now. */
  keep: boolean;
  /** Something is stored, and the app does not need it. */
  clear: boolean;
  /** What is chosen before anybody touched it. */
  first: "keep" | "set" | "skip";
  /** What stands in the input, or is chosen in it; always undefined for a secret. */
  shown: string | undefined;
}

/** `ask`: what merging with no answers says of this setting, which alone knows whether a secret still fits. */
export function choicesOf(setting: Setting, view: SettingView, ask?: Issue): SettingChoices {
  const value = view.sensitive ? undefined : view.value;
  const isSecret = view.sensitive || isSensitive(setting);
  const configured = view.sensitive ? view.configured : value !== undefined;
  const fits = value === undefined || fitsSetting(setting, value);
  const keep = configured && fits && ask === undefined;
  const isAsked = setting.required === true || configured || ask !== undefined;
  const first = keep ? "keep" : isAsked ? "set" : "skip";
  // A Select has no option for a value that is not offered any more.
  const shown = isSecret || (setting.type === "Select" && !fits) ? undefined : value;
  return {
    kind: isSecret ? "secret" : "plain",
    keep,
    clear: configured && setting.required !== true,
    first,
    shown,
  };
}
