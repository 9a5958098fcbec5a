/** How an app's mapping fields meet the fields of a customer's products. */
import { pointerTo } from "@/lib/contract/pointer";
import type { MappingField } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";
import { faultOfPath } from "./json-path";

export interface Mapping {
  productName: string;
  fields: Record<string, string>;
}

/**
 * What a form sends over what is stored: a field that is left out keeps its path, an empty one loses it. What is not
 * declared any more is dropped; what is unknown in the input stays, for the check to name it.
 */
export function mergePaths(
  declared: readonly MappingField[],
  stored: readonly Mapping[],
  input: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Record<string, Record<string, string>> {
  const names = new Set(declared.map((field) => field.name));
  const merged = new Map(
    stored.map(({ productName, fields }) => [
      productName,
      new Map(Object.entries(fields).filter(([name]) => names.has(name))),
    ]),
  );
  for (const [product, fields] of Object.entries(input)) {
    const paths = merged.get(product) ?? new Map<string, string>();
    for (const [name, path] of Object.entries(fields)) paths.set(name, path);
    merged.set(product, paths);
  }
  return Object.fromEntries([...merged].map(([product, paths]) => [product, Object.fromEntries(paths)]));
}

/** Every product gets an entry, in the products' order; a field that was left empty is absent. All problems at once. */
export function checkMappings(
  declared: readonly MappingField[],
  productNames: readonly string[],
  input: Readonly<Record<string, Readonly<Record<string, string>>>>,
): { mappings: Mapping[]; issues: Issue[] } {
  const given = new Map(
    Object.entries(input).map(([product, fields]) => [product, new Map(Object.entries(fields))]),
  );
  const fieldNames = new Set(declared.map((field) => field.name));
  const issues: Issue[] = [];
  for (const [product, fields] of given) {
    if (!productNames.includes(product)) {
      issues.push(
        issueOf(
          [product],
          "mapping-product-unknown",
          "The tenant has no such product now. Refresh its products.",
        ),
      );
      continue;
    }
    for (const name of fields.keys()) {
      if (!fieldNames.has(name))
        issues.push(
          issueOf([product, name], "mapping-field-unknown", "The app declares no such mapping field."),
        );
    }
  }
  const mappings = productNames.map((productName) => {
    const fields = new Map<string, string>();
    for (const field of declared) {
      const path = given.get(productName)?.get(field.name)?.trim() ?? "";
      const issue = issueOfPath(field, path, productName);
      if (issue !== undefined) issues.push(issue);
      else if (path !== "") fields.set(field.name, path);
    }
    return { productName, fields: Object.fromEntries(fields) };
  });
  return { mappings, issues };
}

function issueOfPath(field: MappingField, path: string, product: string): Issue | undefined {
  const at = [product, field.name];
  if (path === "") {
    if (field.required !== true) return undefined;
    return issueOf(at, "mapping-required", `Say where ${product} keeps '${field.title}'.`);
  }
  const fault = faultOfPath(path);
  return fault === undefined ? undefined : issueOf(at, "mapping-path", fault.message);
}

function issueOf(at: string[], code: string, message: string): Issue {
  return { code, pointer: mappingPointer(...at), message };
}

/** Where a product's mapping, or one field of it, is in a launch's or a configuration's input. */
export function mappingPointer(...at: string[]): string {
  return pointerTo("mappings", ...at);
}
