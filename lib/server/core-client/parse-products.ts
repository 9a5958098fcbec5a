/** Parses a core's list of products. The text is untrusted: it is size-limited and must be storable in PostgreSQL. */
import { coreProducts } from "@/lib/contract/core";
import { FORBIDDEN_NAMES } from "@/lib/contract/manifest-terms";
import { isShallow, parseJson } from "@/lib/contract/parse-json";
import { canBeStored } from "@/lib/contract/shown-text";

export interface CoreProduct {
  name: string;
  schema: Record<string, unknown>;
  /** Undefined if the core sent none, or one larger than SAMPLE_BYTES. */
  sample?: unknown;
}

/** The most that a product's sample may have as JSON text. */
export const SAMPLE_BYTES = 64 * 1024;

/** The products, or a message that says what is wrong with the response and how to fix it. */
export function parseProducts(text: string, url: string): CoreProduct[] | string {
  const value = parseJson(text);
  const parsed = isShallow(value) && isStorable(value) ? coreProducts.safeParse(value) : undefined;
  if (parsed?.success !== true)
    return `${url} did not return JSON of the form { "products": [{ "name", "schema" }] }. Fix the core's response.`;
  const { products } = parsed.data;
  const names = products.map((product) => product.name);
  const reserved = names.find((name) => FORBIDDEN_NAMES.includes(name));
  if (reserved !== undefined)
    return `${url} lists a product named '${reserved}', which is a reserved name in JavaScript. Rename the product.`;
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined)
    return `${url} lists '${duplicate}' more than once. Give each product a unique name.`;
  return products.map(({ name, schema, sample }) =>
    sample === undefined || sample === null || Buffer.byteLength(JSON.stringify(sample)) > SAMPLE_BYTES
      ? { name, schema }
      : { name, schema, sample },
  );
}

/** For a shallow value: whether PostgreSQL can store all of its text, keys included. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return canBeStored(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => canBeStored(key) && isStorable(member));
}
