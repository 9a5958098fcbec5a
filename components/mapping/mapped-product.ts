import type { MappingField } from "@/lib/contract/manifest";

/** A product as its mapping needs it. */
export interface MappedProduct {
  name: string;
  /** JSON Schema of its policy data, as the core gave it. */
  schema?: unknown;
  /** Policy data as the core gave it, for trying paths out. */
  sample?: unknown;
  /** The schema is another than the one that the current mapping was saved for. */
  changedSinceMapped?: boolean;
}

/** Another product, to copy from. */
export interface OtherProduct {
  name: string;
  pathOf: (field: MappingField) => string;
}
