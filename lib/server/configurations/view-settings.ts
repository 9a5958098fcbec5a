import type { SettingView } from "@/lib/contract/installation";
import { isSensitive, type Setting } from "@/lib/contract/manifest";
import type { StoredSetting } from "./queries";

/** How a page gets the settings back: of a sensitive one only that it is there, since when and by whom. */
export function viewSettings(
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): SettingView[] {
  const held = new Map(Object.entries(stored));
  return declared.map((setting) => viewSetting(setting, held.get(setting.name)));
}

function viewSetting(setting: Setting, stored: StoredSetting | undefined): SettingView {
  const { name } = setting;
  // What was sealed once stays hidden, whatever the manifest says today; and so does what it calls sensitive now.
  if (stored?.kind === "sealed")
    return { name, sensitive: true, configured: true, updatedAt: stored.updatedAt, by: stored.by };
  const plain = stored?.kind === "plain" ? stored.value : undefined;
  if (isSensitive(setting)) return { name, sensitive: true, configured: plain !== undefined };
  return { name, sensitive: false, value: plain };
}
