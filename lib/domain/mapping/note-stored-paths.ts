import { isPathField, type MappingFormat } from "@/lib/contract/manifest-terms";
import { createSample } from "./create-sample";
import { notePath, type PathNotes } from "./note-path";

interface Stored {
  mappings: readonly { productName: string; fields: Record<string, string> }[];
  mappingFields: readonly { name: string; format?: MappingFormat }[];
  products: readonly { name: string; schema: unknown; sample?: unknown }[];
}

/** The notes of all paths that a configuration stores, so that a page can show them without the parser of paths. */
export function noteStoredPaths({ mappings, mappingFields, products }: Stored): PathNotes {
  const stored = new Map(
    mappings.map(({ productName, fields }) => [productName, new Map(Object.entries(fields))]),
  );
  return Object.fromEntries(
    products.map(({ name, schema, sample }) => {
      const data = createSample(schema, sample);
      const paths = mappingFields
        .filter(isPathField)
        .flatMap((field) => stored.get(name)?.get(field.name) ?? []);
      return [name, Object.fromEntries(paths.map((path) => [path, notePath(schema, data, path)]))];
    }),
  );
}
