import type { ProductRow } from "../tenants/queries";

/** SHA-256 (hex) of schemas, by product. */
export type SchemaDigests = Readonly<Record<string, string>>;

/**
 * The schema that each product's mapping was last looked at for. A product that the answers name was looked at now, also
 * where they repeat its paths; any other keeps what was known, and with it the word that it changed since.
 */
export function schemasSeen(
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

/** Is a mapping now known to be for another schema than before? A product that came since is no such thing. */
export function sawOthers(before: SchemaDigests, after: SchemaDigests): boolean {
  const known = new Map(Object.entries(before));
  return Object.entries(after).some(([name, digest]) => (known.get(name) ?? digest) !== digest);
}
