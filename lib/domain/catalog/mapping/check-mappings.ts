/** Maps an app's mapping fields to the fields of a customer's products. */
import type { MappingField } from "@/lib/contract/catalog/manifest";
import type { ConfigurationCode } from "@/lib/contract/platform/issue-codes";
import { isPathField } from "@/lib/contract/platform/manifest-terms";
import { type Issue, pointerTo } from "@/lib/contract/platform/problem";
import { findUnwritable } from "./path-text";

export interface Mapping {
  productName: string;
  fields: Record<string, string>;
}

/**
 * Applies a form's input to what is stored. A field that is left out keeps its path; an empty one loses it. Stored fields
 * that are no longer declared are dropped. Unknown fields of the input stay, so that the check reports them.
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

/** Every product gets an entry, in the order of the products; an empty field is absent. Finds all issues at once. */
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
      const message = "The tenant no longer has this product. Refresh its products.";
      issues.push(createIssue(mappingPointer(product), "mapping-product-unknown", message));
      continue;
    }
    for (const name of fields.keys()) {
      if (!fieldNames.has(name))
        issues.push(
          createIssue(
            mappingPointer(product, name),
            "mapping-field-unknown",
            "The app does not declare this mapping field. Reload the page: its version may have changed.",
          ),
        );
    }
  }
  const mappings = productNames.map((productName) => {
    const fields = new Map<string, string>();
    for (const field of declared) {
      const path = given.get(productName)?.get(field.name)?.trim() ?? "";
      const issue = checkField(field, path, productName);
      if (issue !== undefined) issues.push(issue);
      else if (path !== "") fields.set(field.name, path);
    }
    return { productName, fields: Object.fromEntries(fields) };
  });
  return { mappings, issues };
}

function checkField(field: MappingField, path: string, product: string): Issue | undefined {
  const pointer = mappingPointer(product, field.name);
  if (path === "") {
    if (field.required !== true) return undefined;
    const message = isPathField(field)
      ? `Map ${field.title} to a field of ${product}.`
      : `Enter ${field.title} for ${product}.`;
    return createIssue(pointer, "mapping-required", message);
  }
  // Apps have path dialects of their own, so only what cannot be stored is refused.
  const unwritable = findUnwritable(path);
  return unwritable && createIssue(pointer, "mapping-characters", unwritable.message);
}

function createIssue(pointer: string, code: ConfigurationCode, message: string): Issue {
  return { code, pointer, message };
}

/** Points to a product's mapping, or to one field of it, in the input of a launch or a configuration. */
export function mappingPointer(product: string, field?: string): string {
  return field === undefined ? pointerTo("mappings", product) : pointerTo("mappings", product, field);
}
