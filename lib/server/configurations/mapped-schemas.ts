import type { ProductView } from "@/lib/contract/configuration-view";
import type { ProductRow } from "../tenants/queries";

/** SHA-256 (hex) of schemas, by product. */
export type SchemaDigests = Readonly<Record<string, string>>;

/**
 * The schema for which each product's mapping was last reviewed. An answered product was reviewed now, even if its paths
 * did not change; the others keep their digest, and so the notice that their schema changed.
 */
export function reviewedSchemas(
  products: readonly Pick<ProductRow, "name" | "schemaDigest">[],
  before: SchemaDigests,
  answered: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const known = new Map(Object.entries(before));
  return Object.fromEntries(
    products.map(({ name, schemaDigest }) => [
      name,
      Object.hasOwn(answered, name) ? schemaDigest : (known.get(name) ?? schemaDigest),
    ]),
  );
}

/** Whether a mapping was reviewed for a different schema than before. New products don't count. */
export function reviewedOtherSchemas(before: SchemaDigests, after: SchemaDigests): boolean {
  const known = new Map(Object.entries(before));
  return Object.entries(after).some(([name, digest]) => (known.get(name) ?? digest) !== digest);
}

/** Whether the product's schema differs from the one its mapping was saved for. Unknown digests count as unchanged. */
export function changedSinceMapped(
  { name, schemaDigest }: Pick<ProductRow, "name" | "schemaDigest">,
  digests: SchemaDigests,
): boolean {
  const mappedFor = new Map(Object.entries(digests)).get(name) ?? "";
  return mappedFor !== "" && schemaDigest !== "" && mappedFor !== schemaDigest;
}

export function viewProduct(product: ProductRow, digests: SchemaDigests): ProductView {
  const { name, schema, sample, changedAt } = product;
  return {
    name,
    schema,
    sample: sample ?? undefined,
    changedAt: changedAt.toISOString(),
    changedSinceMapped: changedSinceMapped(product, digests),
  };
}
