import type { SettingView } from "@/lib/contract/installation";
import type { MappingField, Setting } from "@/lib/contract/manifest";
import { isSensitive } from "@/lib/contract/manifest-terms";

/** What pages may know of a stored setting. `gone`: its revision was scrubbed. */
type StoredSetting =
  { kind: "plain"; value: string } | { kind: "sealed"; updatedAt: string; by: string } | { kind: "gone" };

/** The settings as pages get them. A sensitive one shows only whether it is set, when and by whom. */
export function viewSettings(
  declared: readonly Setting[],
  stored: Readonly<Record<string, StoredSetting>>,
): SettingView[] {
  const byName = new Map(Object.entries(stored));
  return declared.map((setting) => viewSetting(setting, byName.get(setting.name)));
}

function viewSetting(setting: Setting, stored: StoredSetting | undefined): SettingView {
  const { name } = setting;
  // A value that was sealed once stays hidden, whatever later manifests declare.
  if (stored?.kind === "sealed")
    return { name, sensitive: true, configured: true, updatedAt: stored.updatedAt, by: stored.by };
  const plain = stored?.kind === "plain" ? stored.value : undefined;
  if (isSensitive(setting)) return { name, sensitive: true, configured: plain !== undefined };
  return { name, sensitive: false, value: plain };
}

/** A setting without the manifest's unknown keys, which pages don't need. */
export function knownSetting({ name, title, type, hint, required, sensitive, values }: Setting): Setting {
  const items = values?.map(({ text, value }) => ({ text, value }));
  return { name, title, type, hint, required, sensitive, values: items };
}

export function knownMappingField({ name, title, hint, required, format }: MappingField): MappingField {
  return { name, title, hint, required, format };
}
