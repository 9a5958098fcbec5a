import type { ConfigurationChange } from "@/lib/contract/configuration-view";

type Of<Kind extends ConfigurationChange["kind"]> = Extract<ConfigurationChange, { kind: Kind }>;

export interface GroupedChanges {
  version: Of<"version"> | undefined;
  settings: (Of<"setting"> | Of<"secret">)[];
  /** By product, in the order in which products first come. */
  mappings: { productName: string; fields: Of<"mapping">[] }[];
}

/** The differences of a revision as they are drawn. */
export function groupChanges(changes: readonly ConfigurationChange[]): GroupedChanges {
  const grouped: GroupedChanges = { version: undefined, settings: [], mappings: [] };
  for (const change of changes) {
    if (change.kind === "version") grouped.version = change;
    else if (change.kind === "mapping") {
      const product = grouped.mappings.find((each) => each.productName === change.productName);
      if (product === undefined) grouped.mappings.push({ productName: change.productName, fields: [change] });
      else product.fields.push(change);
    } else grouped.settings.push(change);
  }
  return grouped;
}
