/** Policy data of a product for trying out paths. */

const DEPTH = 8;
const MEMBERS = 500;

/** What the core gave, otherwise data from the schema: its own examples first, then a placeholder of the type. */
export function createSample(schema: unknown, sample?: unknown): unknown {
  if (sample !== undefined) return sample;
  let left = MEMBERS;
  const create = (position: Position, depth: number): unknown => {
    const parts = readParts(schema, position);
    const [given] = parts.given.values;
    if (given !== undefined) return given;
    if (depth >= DEPTH) return placeholder(parts);
    const { properties, elements, items } = parts;
    if (properties.size > 0) {
      const members = [...properties].slice(0, left);
      left -= members.length;
      return Object.fromEntries(members.map(([name, child]) => [name, create(child, depth + 1)]));
    }
    const children = elements.length > 0 ? elements : items === undefined || items === false ? [] : [items];
    if (children.length === 0) return placeholder(parts);
    const shown = children.slice(0, left);
    left -= shown.length;
    return shown.map((child) => create(child, depth + 1));
  };
  return create(wholeDocument(schema), 0);
}

const BY_FORMAT = new Map([
  ["date", "2026-01-31"],
  ["date-time", "2026-01-31T12:00:00Z"],
  ["time", "12:00:00Z"],
  ["email", "name@example.com"],
  ["uri", "https://example.com"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);

function placeholder({ type, title, given }: SchemaParts): unknown {
  switch (type.split(" or ").find((one) => one !== "null") ?? type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return [];
    case "object":
      return {};
    case "string":
      return BY_FORMAT.get(given.format ?? "") ?? title ?? "text";
    default:
      return null;
  }
}

/** What a JSON Schema describes at one position in the data, with all its subschemas combined. Members can have any type. */

/** A position in the data: all schemas that describe it, and how often each `$ref` was followed on the way to it. */
export interface Position {
  schemas: readonly unknown[];
  refs: ReadonlyMap<string, number>;
}

export function wholeDocument(schema: unknown): Position {
  return { schemas: [schema], refs: new Map() };
}

export interface SchemaParts {
  /** JSON Schema's types as text; empty if the schema names none. */
  type: string;
  title: string | undefined;
  description: string | undefined;
  /** In the schema's order. */
  properties: ReadonlyMap<string, Position>;
  required: ReadonlySet<string>;
  /** Elements by index. */
  elements: readonly Position[];
  /** All other elements; `false`: there are none; undefined: not described. */
  items: Position | false | undefined;
  /** Members besides `properties`: described or allowed; `false`: there are none; undefined: not described. */
  additional: boolean | undefined;
  /** Part of the schema could not be resolved. */
  open: boolean;
  /** Values that the schema itself gives, and its `format`. */
  given: { values: readonly unknown[]; format: string | undefined };
}

/** How often one `$ref` is followed on the way to a position: a person's children are people, and so on. */
const SAME_REF = 2;
const SCHEMAS_PER_POSITION = 100;
const TEXT = 300;

class Gathering {
  types = new Set<string>();
  title: string | undefined;
  description: string | undefined;
  properties = new Map<string, unknown[]>();
  required = new Set<string>();
  elements: unknown[][] = [];
  items: unknown[] = [];
  noItems = false;
  additional: boolean | undefined;
  open = false;
  values: unknown[] = [];
  format: string | undefined;
  refs = new Map<string, number>();
}

interface Waiting {
  schema: unknown;
  /** It always applies, not only in one of several cases. */
  certain: boolean;
  refs: ReadonlyMap<string, number>;
}

/** Reads a bounded number of schemas, and never throws. */
export function readParts(root: unknown, position: Position): SchemaParts {
  const found = new Gathering();
  const waiting: Waiting[] = position.schemas
    .map((schema) => ({ schema, certain: true, refs: position.refs }))
    .reverse();
  for (let seen = 0; seen < SCHEMAS_PER_POSITION; seen++) {
    const next = waiting.pop();
    if (next === undefined) return summary(found);
    const { schema, refs } = next;
    if (!isObject(schema)) continue;
    for (const [ref, times] of refs) found.refs.set(ref, Math.max(times, found.refs.get(ref) ?? 0));
    readMembers(found, schema, next.certain);
    waiting.push(...listSubschemas(root, schema, next, found).reverse());
  }
  found.open = true;
  return summary(found);
}

function listSubschemas(
  root: unknown,
  schema: Record<string, unknown>,
  { certain, refs }: Waiting,
  found: Gathering,
): Waiting[] {
  const { $ref: ref, allOf, anyOf, oneOf, then, else: otherwise } = schema;
  const parts = boundedList(allOf).map((part) => ({ schema: part, certain, refs }));
  const cases = [...boundedList(anyOf), ...boundedList(oneOf), then, otherwise];
  const all = [...parts, ...cases.map((part) => ({ schema: part, certain: false, refs }))];
  if (ref === undefined) return all;
  const target = typeof ref === "string" ? lookUp(root, ref) : undefined;
  const times = typeof ref === "string" ? (refs.get(ref) ?? 0) : 0;
  if (typeof ref === "string" && target !== undefined && times < SAME_REF)
    return [{ schema: target, certain, refs: new Map(refs).set(ref, times + 1) }, ...all];
  found.open = true;
  return all;
}

function readMembers(found: Gathering, schema: Record<string, unknown>, certain: boolean): void {
  found.title ??= toText(schema.title);
  found.description ??= toText(schema.description);
  found.format ??= toText(schema.format);
  for (const type of [schema.type].flat()) if (typeof type === "string") found.types.add(type);
  if (isObject(schema.properties))
    for (const [name, child] of Object.entries(schema.properties)) addTo(found.properties, name, child);
  if (certain)
    for (const name of toList(schema.required)) if (typeof name === "string") found.required.add(name);
  const { items, prefixItems, additionalItems } = schema;
  const elements = Array.isArray(items) ? items : toList(prefixItems);
  elements.forEach((child: unknown, index) => (found.elements[index] ??= []).push(child));
  const others = Array.isArray(items) ? additionalItems : items;
  if (others === false) found.noItems = true;
  else if (isObject(others) || others === true) found.items.push(others);
  const { additionalProperties: additional } = schema;
  if (isObject(schema.patternProperties) || isObject(additional) || additional === true)
    found.additional = true;
  else if (additional === false) found.additional ??= false;
  if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) found.open = true;
  found.values.push(...toList(schema.examples).slice(0, 1));
  for (const value of [schema.default, schema.const, toList(schema.enum)[0]])
    if (value !== undefined) found.values.push(value);
}

function summary(found: Gathering): SchemaParts {
  const toPosition = (schemas: readonly unknown[]): Position => ({ schemas, refs: found.refs });
  const { title, description, required, additional, open, values, format } = found;
  return {
    type: describeType(found),
    title,
    description,
    properties: new Map([...found.properties].map(([name, schemas]) => [name, toPosition(schemas)])),
    required,
    elements: Array.from(found.elements, (schemas) => toPosition(schemas)),
    items: found.items.length > 0 ? toPosition(found.items) : found.noItems ? false : undefined,
    additional,
    open,
    given: { values, format },
  };
}

function describeType({ types, properties, elements, items, values }: Gathering): string {
  if (types.size > 0) return [...types].slice(0, 8).join(" or ").slice(0, TEXT);
  if (properties.size > 0) return "object";
  if (elements.length > 0 || items.length > 0) return "array";
  const [value] = values;
  if (value === undefined) return "";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** The target of a local `$ref` such as `#/$defs/person`. */
function lookUp(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const key = decode(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function addTo(map: Map<string, unknown[]>, name: string, schema: unknown): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [schema]);
  else known.push(schema);
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.slice(0, TEXT) : undefined;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function boundedList(value: unknown): readonly unknown[] {
  return toList(value).slice(0, SCHEMAS_PER_POSITION);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
