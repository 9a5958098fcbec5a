/** What a core's listing of products says. It is somebody else's text: bounded, and held only when PostgreSQL can hold it. */
import { coreProducts } from "@/lib/contract/core";
import { isShallow } from "@/lib/contract/json-body";
import { FORBIDDEN_NAMES } from "@/lib/contract/manifest";
import { canBeHeld } from "@/lib/contract/shown-text";

export interface CoreProduct {
  name: string;
  schema: Record<string, unknown>;
  /** Undefined when the core gave none, or more than is kept. */
  sample?: unknown;
}

/** Of a product's sample, as JSON text. A larger one is left out. */
export const SAMPLE_BYTES = 64 * 1024;

/** The products, or what is wrong with the answer and how to mend it. */
export function readAnswer(text: string, address: string): CoreProduct[] | string {
  const value = parseJson(text);
  const parsed = isShallow(value) && isHeld(value) ? coreProducts.safeParse(value) : undefined;
  if (parsed?.success !== true)
    return `${address} did not answer { "products": [{ "name", "schema" }] } as JSON. Correct the core's answer.`;
  const { products } = parsed.data;
  const names = products.map((product) => product.name);
  const reserved = names.find((name) => FORBIDDEN_NAMES.includes(name));
  if (reserved !== undefined)
    return `${address} lists a product called '${reserved}', a name that JavaScript reserves. Give it another name.`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${address} lists '${twice}' twice. Give each product a name of its own.`;
  return products.map(({ name, schema, sample }) =>
    sample === undefined || sample === null || Buffer.byteLength(JSON.stringify(sample)) > SAMPLE_BYTES
      ? { name, schema }
      : { name, schema, sample },
  );
}

/** Undefined for what is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of a shallow value: whether PostgreSQL can hold all its text, that of its keys too. */
function isHeld(value: unknown): boolean {
  if (typeof value === "string") return canBeHeld(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => canBeHeld(key) && isHeld(member));
}
