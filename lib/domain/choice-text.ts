import type { Setting } from "@/lib/contract/manifest";

/** What people read: the text of a Select's choice. */
export function choiceText(setting: Setting, value: string | undefined): string | undefined {
  return setting.values?.find((choice) => choice.value === value)?.text ?? value;
}
