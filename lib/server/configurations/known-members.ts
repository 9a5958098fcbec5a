import type { MappingField, Setting } from "@/lib/contract/manifest";

/** A setting without what its manifest keeps beside the members that the platform knows: a page needs no more. */
export function knownSetting({ name, title, type, hint, required, sensitive, values }: Setting): Setting {
  const items = values?.map(({ text, value }) => ({ text, value }));
  return { name, title, type, hint, required, sensitive, values: items };
}

export function knownMappingField({ name, title, hint, required }: MappingField): MappingField {
  return { name, title, hint, required };
}
