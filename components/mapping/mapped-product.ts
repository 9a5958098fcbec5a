/** A product as its mapping needs it. */
export interface MappedProduct {
  name: string;
  /** JSON Schema of its policy data, as the core gave it. */
  schema?: unknown;
  /** Policy data as the core gave it, for trying out paths. */
  sample?: unknown;
  /** The schema has changed since the current mapping was saved. */
  changedSinceMapped?: boolean;
}
