/** What a core's listing of products says. It is somebody else's text: bounded, and held only when PostgreSQL can hold it. */
import { coreProducts } from "@/lib/contract/core";

export interface CoreProduct {
  name: string;
  schema: Record<string, unknown>;
  /** Undefined when the core gave none, or more than is kept. */
  sample?: unknown;
}

/** Of a product's sample, as JSON text. A larger one is left out. */
export const SAMPLE_BYTES = 64 * 1024;
/** Schemas are walked by functions that call themselves. */
const DEPTH = 64;

/** The products, or what is wrong with the answer and how to mend it. */
export function readAnswer(text: string, address: string): CoreProduct[] | string {
  const value = parseJson(text);
  const parsed = value !== undefined && isShallow(value) ? coreProducts.safeParse(value) : undefined;
  if (parsed?.success !== true)
    return `${address} did not answer { "products": [{ "name", "schema" }] } as JSON. Correct the core's answer.`;
  const { products } = parsed.data;
  const names = products.map((product) => product.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `${address} lists '${twice}' twice. Give each product a name of its own.`;
  return products.map(({ name, schema, sample }) =>
    sample === undefined || sample === null || Buffer.byteLength(JSON.stringify(sample)) > SAMPLE_BYTES
      ? { name, schema }
      : { name, schema, sample },
  );
}

/** Undefined for what is not JSON, and for JSON with a NUL or half a surrogate pair, which PostgreSQL cannot hold. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return /\\u(?:0000|d[89a-f])/.test(JSON.stringify(value)) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH) return false;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return true;
}
