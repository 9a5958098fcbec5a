import type { InstallationView } from "@/lib/contract/installation-view";
import type { Manifest } from "@/lib/contract/manifest";
import { missingPaths } from "@/lib/domain/mapping/check-path";
import type { Mapping } from "@/lib/domain/mapping/check-mappings";
import { changedSinceMapped } from "../configurations/read-configuration";
import type { ProductRow } from "../tenants/queries";

interface Mapped {
  mappings: readonly Mapping[];
  schemaDigests: Readonly<Record<string, string>>;
}

/** Products whose schema changed since their mapping was saved, with the mapped fields that it does not have now. */
export function changedProducts(
  manifest: Manifest,
  { mappings, schemaDigests }: Mapped,
  products: readonly ProductRow[],
): InstallationView["changedProducts"] {
  const titles = new Map((manifest.core?.fields ?? []).map((field) => [field.name, field.title]));
  return products
    .filter((product) => changedSinceMapped(product, schemaDigests))
    .map(({ name, schema, changedAt }) => {
      const mapping = mappings.find(({ productName }) => productName === name);
      const missing = missingPaths(schema, mapping?.fields ?? {}).map(
        (field) => titles.get(field.name) ?? field.name,
      );
      return { name, changedAt: changedAt.toISOString(), missing };
    });
}
