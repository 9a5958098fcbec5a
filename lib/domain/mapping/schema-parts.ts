/** What a JSON Schema says of one place, with all that it is composed of taken together. Its members are of any type. */

/** A place in the data: the schemas that all speak of it, and how often each `$ref` was followed on the way to it. */
export interface Place {
  schemas: readonly unknown[];
  refs: ReadonlyMap<string, number>;
}

export function placeOfAll(schema: unknown): Place {
  return { schemas: [schema], refs: new Map() };
}

export interface SchemaParts {
  /** JSON Schema's types, in words; empty where the schema does not say. */
  type: string;
  title: string | undefined;
  description: string | undefined;
  /** In the schema's order. */
  properties: ReadonlyMap<string, Place>;
  required: ReadonlySet<string>;
  /** Elements by position, and all others; `false`: there are no others; undefined: not described. */
  positions: readonly Place[];
  items: Place | false | undefined;
  /** Members beside `properties`: described or allowed; `false`: there are none; undefined: not said. */
  additional: boolean | undefined;
  /** Part of the description could not be looked up. */
  open: boolean;
  /** Values that the schema itself gives for the place, and its `format`. */
  given: { values: readonly unknown[]; format: string | undefined };
}

/** How often one `$ref` is followed on the way to a place: a person's children are people, and so on. */
const SAME_REF = 2;
const SCHEMAS_OF_A_PLACE = 100;
const TEXT = 300;

class Gathering {
  types = new Set<string>();
  title: string | undefined;
  description: string | undefined;
  properties = new Map<string, unknown[]>();
  required = new Set<string>();
  positions: unknown[][] = [];
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
  /** It holds always, not in one of several cases. */
  certain: boolean;
  refs: ReadonlyMap<string, number>;
}

/** Of a bounded number of schemas; whatever the schema is, this does not throw. */
export function partsOf(root: unknown, place: Place): SchemaParts {
  const found = new Gathering();
  const waiting: Waiting[] = place.schemas
    .map((schema) => ({ schema, certain: true, refs: place.refs }))
    .reverse();
  for (let seen = 0; seen < SCHEMAS_OF_A_PLACE; seen++) {
    const next = waiting.pop();
    if (next === undefined) return summary(found);
    const { schema, refs } = next;
    if (!isObject(schema)) continue;
    for (const [ref, times] of refs) found.refs.set(ref, Math.max(times, found.refs.get(ref) ?? 0));
    readMembers(found, schema, next.certain);
    waiting.push(...composedOf(root, schema, next, found).reverse());
  }
  found.open = true;
  return summary(found);
}

function composedOf(
  root: unknown,
  schema: Record<string, unknown>,
  { certain, refs }: Waiting,
  found: Gathering,
): Waiting[] {
  const { $ref: ref, allOf, anyOf, oneOf, then, else: otherwise } = schema;
  const parts = someOf(allOf).map((part) => ({ schema: part, certain, refs }));
  const cases = [...someOf(anyOf), ...someOf(oneOf), then, otherwise];
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
  found.title ??= textOf(schema.title);
  found.description ??= textOf(schema.description);
  found.format ??= textOf(schema.format);
  for (const type of [schema.type].flat()) if (typeof type === "string") found.types.add(type);
  if (isObject(schema.properties))
    for (const [name, child] of Object.entries(schema.properties)) addTo(found.properties, name, child);
  if (certain)
    for (const name of listOf(schema.required)) if (typeof name === "string") found.required.add(name);
  const { items, prefixItems, additionalItems } = schema;
  const positions = Array.isArray(items) ? items : listOf(prefixItems);
  positions.forEach((child: unknown, at) => (found.positions[at] ??= []).push(child));
  const others = Array.isArray(items) ? additionalItems : items;
  if (others === false) found.noItems = true;
  else if (isObject(others) || others === true) found.items.push(others);
  const { additionalProperties: additional } = schema;
  if (isObject(schema.patternProperties) || isObject(additional) || additional === true)
    found.additional = true;
  else if (additional === false) found.additional ??= false;
  if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) found.open = true;
  found.values.push(...listOf(schema.examples).slice(0, 1));
  for (const value of [schema.default, schema.const, listOf(schema.enum)[0]])
    if (value !== undefined) found.values.push(value);
}

function summary(found: Gathering): SchemaParts {
  const placeOf = (schemas: readonly unknown[]): Place => ({ schemas, refs: found.refs });
  const { title, description, required, additional, open, values, format } = found;
  return {
    type: typeInWords(found),
    title,
    description,
    properties: new Map([...found.properties].map(([name, schemas]) => [name, placeOf(schemas)])),
    required,
    positions: Array.from(found.positions, (schemas) => placeOf(schemas)),
    items: found.items.length > 0 ? placeOf(found.items) : found.noItems ? false : undefined,
    additional,
    open,
    given: { values, format },
  };
}

function typeInWords({ types, properties, positions, items, values }: Gathering): string {
  if (types.size > 0) return [...types].slice(0, 8).join(" or ").slice(0, TEXT);
  if (properties.size > 0) return "object";
  if (positions.length > 0 || items.length > 0) return "array";
  const [value] = values;
  if (value === undefined) return "";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** What a local `$ref` such as `#/$defs/person` points to. */
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

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.slice(0, TEXT) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function someOf(value: unknown): readonly unknown[] {
  return listOf(value).slice(0, SCHEMAS_OF_A_PLACE);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
