/** A payload to start from, made of the customer's own products. Pure. */
import type { Manifest } from "@/lib/contract/manifest";
import { listNames, samplePayload } from "@/lib/domain/sample-payload";
import type { LocalCustomer } from "../answers/customer-store";
import { productsOf } from "../answers/products";
import type { DevRoute } from "../contract/manifest";

/** JSON text. Without a name, of the first event or operation; without a product, of the customer's first one. */
export function createSample(
  { kind, patterns }: DevRoute,
  { productSet, mappings }: LocalCustomer,
  manifest: Manifest,
  name = listNames({ kind, patterns })[0],
  productName?: string,
): string {
  const products = productsOf(productSet);
  const found = products.find((product) => product.name === productName) ?? products[0];
  const product =
    found === undefined ? undefined : { name: found.name, data: toJson(found.sample), given: true };
  const mappingFields = (manifest.core?.fields ?? []).map(({ name: field, title, required = false }) => ({
    ...{ name: field, title, required },
  }));
  return samplePayload({ route: { kind, patterns }, name, product }, { mappings, mappingFields });
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
