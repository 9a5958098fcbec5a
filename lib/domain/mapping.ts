/** How an app's mapping fields meet the fields of a customer's products. */
import type { MappingField } from "@/lib/contract/manifest";
import type { Issue } from "@/lib/contract/problem";

export interface Mapping {
  productName: string;
  fields: Record<string, string>;
}

/** A member by name (`.a`, `['a']`, `["a"]`) or an element by index (`[0]`): RFC 9535's singular query, without escapes. */
const STEP =
  /(?:\.[A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF]*|\['[^'\\]+'\]|\["[^"\\]+"\]|\[(?:0|[1-9]\d{0,8})\])/u;
const SINGULAR_PATH = new RegExp(`^\\$(?:${STEP.source})+$`, "u");

export function isSingularPath(text: string): boolean {
  return SINGULAR_PATH.test(text);
}

/** The names and indexes along a path; none when it is no singular path. */
export function stepsOfPath(path: string): (string | number)[] {
  if (!isSingularPath(path)) return [];
  return (path.match(new RegExp(STEP.source, "gu")) ?? []).map((step) => {
    if (step.startsWith(".")) return step.slice(1);
    return /^\[\d/.test(step) ? Number(step.slice(1, -1)) : step.slice(2, -2);
  });
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
      const issue = checkPath(field, path, productName);
      if (issue !== undefined) issues.push(issue);
      else if (path !== "") fields.set(field.name, path);
    }
    return { productName, fields: Object.fromEntries(fields) };
  });
  return { mappings, issues };
}

function checkPath(field: MappingField, path: string, product: string): Issue | undefined {
  if (path === "") {
    if (field.required !== true) return undefined;
    return issueOf([product, field.name], "mapping-required", `Say where ${product} keeps '${field.title}'.`);
  }
  if (isSingularPath(path)) return undefined;
  return issueOf(
    [product, field.name],
    "mapping-path",
    "Write one place in the data, such as $.vehicle.vin or $['vehicle'][0].",
  );
}

function issueOf(parts: string[], code: string, message: string): Issue {
  const pointer = parts.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return { code, pointer: `/mappings${pointer}`, message };
}

export interface SchemaPath {
  path: string;
  /** JSON Schema's type, in words; empty where the schema names none. */
  type: string;
  title?: string;
}

const DEPTH = 8;
const PATHS = 500;

/** The leaves of a product's JSON Schema as paths, for a pick list; arrays show their first element. */
export function pathsOf(schema: unknown): SchemaPath[] {
  const found: SchemaPath[] = [];
  collect(schema, "$", 0, found);
  return found;
}

function collect(schema: unknown, path: string, depth: number, found: SchemaPath[]): void {
  if (!isObject(schema) || depth > DEPTH || found.length >= PATHS) return;
  if (isObject(schema.properties)) {
    for (const [name, child] of Object.entries(schema.properties))
      collect(child, path + stepTo(name), depth + 1, found);
  } else if (isObject(schema.items)) {
    collect(schema.items, `${path}[0]`, depth + 1, found);
  } else if (isSingularPath(path)) {
    const type = typeof schema.type === "string" ? schema.type : "";
    found.push(typeof schema.title === "string" ? { path, type, title: schema.title } : { path, type });
  }
}

function stepTo(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return `.${name}`;
  return name.includes("'") ? `["${name}"]` : `['${name}']`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The path whose last name is most like the field's, when there is one: a first guess that the customer confirms. */
export function guessPath(field: MappingField, paths: readonly SchemaPath[]): string | undefined {
  const wanted = field.name.toLowerCase();
  return paths.find(({ path }) => (path.match(/([\w]+)(?:'\])?$/)?.[1] ?? "").toLowerCase() === wanted)?.path;
}
