import type { MappingField } from "@/lib/contract/catalog/manifest";
import type { ConfigurationCode } from "@/lib/contract/platform/issue-codes";
import { isPathField, type MappingFormat } from "@/lib/contract/platform/manifest-terms";
import type { Issue } from "@/lib/contract/platform/problem";
import { type Mapping, mappingPointer } from "./check-mappings";
import { leadingSteps, parsePath, valueAtPath } from "./json-path";
import type { Step } from "./path-text";
import { createSample, type Position, readParts, type SchemaParts, wholeDocument } from "./schema-parts";

interface Stored {
  mappings: readonly { productName: string; fields: Record<string, string> }[];
  mappingFields: readonly { name: string; format?: MappingFormat }[];
  products: readonly { name: string; schema: unknown; sample?: unknown }[];
}

/** The notes of all paths that a configuration stores, so that a page can show them without the parser of paths. */
export function noteStoredPaths({ mappings, mappingFields, products }: Stored): PathNotes {
  const stored = new Map(
    mappings.map(({ productName, fields }) => [productName, new Map(Object.entries(fields))]),
  );
  return Object.fromEntries(
    products.map(({ name, schema, sample }) => {
      const data = createSample(schema, sample);
      const paths = mappingFields
        .filter(isPathField)
        .flatMap((field) => stored.get(name)?.get(field.name) ?? []);
      return [name, Object.fromEntries(paths.map((path) => [path, notePath(schema, data, path)]))];
    }),
  );
}

// What is shown below a path: how it fits the product's schema, and what it finds in the sample.

export interface PathNote {
  check: PathCheck;
  /** Only a JSONPath can be tried on the sample. `shown`: the first values as short text. */
  found?: { shown: string[]; count: number; more: boolean; failure?: string };
}

/** Notes by product and path. */
export type PathNotes = Record<string, Record<string, PathNote>>;

const SHOWN = 3;
const LONGEST = 80;

export function notePath(schema: unknown, sample: unknown, path: string): PathNote {
  const check = checkPath(schema, path);
  const { result } = check;
  if (result === "invalid" || result === "malformed" || result === "unchecked") return { check };
  const { values, more, failure } = valueAtPath(sample, path);
  return {
    check,
    found: { shown: values.slice(0, SHOWN).map(showValue), count: values.length, more, failure },
  };
}

/** Text as it is, anything else as short JSON. */
function showValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === "") return '""';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

// Checks a path against a product's schema.

/**
 * `many`: the app may find several values. `unknown`: the schema allows the path without describing it. `malformed`: it
 * starts like a JSONPath but is none. `unchecked`: of another form, which the app may expect. Only `invalid` is refused,
 * because a schema can be older than the data, and apps have path dialects of their own.
 */
export interface PathCheck {
  result: "found" | "not-in-schema" | "many" | "unknown" | "malformed" | "unchecked" | "invalid";
  /** JSON Schema's type as text. */
  type?: string;
  message: string;
}

export function checkPath(schema: unknown, path: string): PathCheck {
  const { query, issue } = parsePath(path);
  if (query === undefined) return checkOtherForm(path, issue);
  const position = findPosition(schema, leadingSteps(query));
  if (typeof position === "string") return { result: "not-in-schema", message: position };
  if (!query.singularQuery())
    return { result: "many", message: "Can find several values. The app receives the path unchanged." };
  if (position === undefined)
    return { result: "unknown", message: "The product's schema allows this path without describing it." };
  const { type } = readParts(schema, position);
  return type === ""
    ? { result: "found", message: "In the product's schema." }
    : { result: "found", type, message: `In the product's schema: ${type}.` };
}

function checkOtherForm(text: string, issue: { message: string; isUnwritable: boolean }): PathCheck {
  if (issue.isUnwritable) return { result: "invalid", message: issue.message };
  if (!text.startsWith("$"))
    return {
      result: "unchecked",
      message: "Not a JSONPath from $, so it can't be checked. The app receives it unchanged.",
    };
  const message = `Not a valid JSONPath, so it can't be checked. ${issue.message} The app receives it unchanged.`;
  return { result: "malformed", message };
}

/** The mapped paths that a schema does not have, of declared fields. It may have changed since they were mapped. */
export function missingPaths(
  schema: unknown,
  declared: readonly MappingField[],
  fields: Readonly<Record<string, string>>,
): { name: string; path: string }[] {
  return listMapped(declared, fields)
    .filter((mapped) => !isUsable(schema, mapped))
    .map(({ name, path }) => ({ name, path }));
}

interface MappedProducts {
  declared: readonly MappingField[];
  products: readonly { name: string; schema: unknown }[];
  /** What is kept is no question, because a schema can change later. */
  before: readonly Mapping[];
  now: readonly Mapping[];
}

/** An issue for each new path that the schema of its product does not have. */
export function findNewMissing({ declared, products, before, now }: MappedProducts): Issue[] {
  const fieldsOf = (mappings: readonly Mapping[], product: string) =>
    new Map(Object.entries(mappings.find(({ productName }) => productName === product)?.fields ?? {}));
  return products.flatMap(({ name: product, schema }) => {
    const [stored, mapped] = [fieldsOf(before, product), fieldsOf(now, product)];
    return declared.filter(isPathField).flatMap(({ name }): Issue[] => {
      const path = mapped.get(name);
      if (path === undefined || path === stored.get(name)) return [];
      const { result, message } = checkPath(schema, path);
      if (result !== "not-in-schema") return [];
      const code: ConfigurationCode = "mapping-not-in-schema";
      const text = `${product} has no field ${path}. ${message}`;
      return [{ code, pointer: mappingPointer(product, name), message: text }];
    });
  });
}

export interface CopiedPaths {
  /** By field: the paths that the other product's schema has or may have. */
  paths: Record<string, string>;
  missing: { name: string; path: string }[];
}

/** The paths of another product's mapping that this schema has too. Declared fields only. */
export function copyPaths(
  fromPaths: Readonly<Record<string, string>>,
  toSchema: unknown,
  fields: readonly MappingField[],
): CopiedPaths {
  const mapped = listMapped(fields, fromPaths);
  const present = mapped.filter((one) => isUsable(toSchema, one));
  return {
    paths: Object.fromEntries(present.map(({ name, path }) => [name, path])),
    missing: mapped.filter((one) => !present.includes(one)).map(({ name, path }) => ({ name, path })),
  };
}

interface Mapped extends Pick<MappingField, "name" | "format"> {
  path: string;
}

function listMapped(declared: readonly MappingField[], paths: Readonly<Record<string, string>>): Mapped[] {
  const found = new Map(Object.entries(paths));
  return declared.flatMap(({ name, format }) => {
    const path = found.get(name) ?? "";
    return path === "" ? [] : [{ name, format, path }];
  });
}

function isUsable(schema: unknown, mapped: Mapped): boolean {
  if (!isPathField(mapped)) return true;
  const { result } = checkPath(schema, mapped.path);
  return result !== "not-in-schema" && result !== "invalid";
}

/** The position that the steps lead to. Undefined: the schema does not describe it. Text: why the schema has none. */
function findPosition(schema: unknown, steps: readonly Step[]): Position | string | undefined {
  let position = wholeDocument(schema);
  let parent = "The product's schema";
  for (const step of steps) {
    if (position.schemas.includes(false)) return `${parent} allows nothing here.`;
    const next =
      typeof step === "string"
        ? findMember(readParts(schema, position), step)
        : findElement(readParts(schema, position), step);
    if (next === undefined) return undefined;
    if (next === "absent")
      return typeof step === "string"
        ? `${parent} has no '${step}'.`
        : `${parent} is not a list with this element.`;
    position = next;
    parent = typeof step === "string" ? `'${step}'` : "The element";
  }
  return position;
}

function findMember(parts: SchemaParts, name: string): Position | "absent" | undefined {
  const position = parts.properties.get(name);
  if (position !== undefined) return position;
  if (parts.open || parts.additional === true) return undefined;
  const undescribed = parts.additional === undefined && parts.properties.size === 0;
  return undescribed && canBe(parts, "object") ? undefined : "absent";
}

function findElement(parts: SchemaParts, index: number): Position | "absent" | undefined {
  const position = index < 0 ? undefined : parts.elements[index];
  if (position !== undefined) return position;
  if (parts.items !== undefined && parts.items !== false && parts.elements.length === 0) return parts.items;
  if (parts.items === false && (index >= 0 || parts.elements.length === 0))
    return parts.open ? undefined : "absent";
  if (parts.items !== undefined && parts.items !== false && index >= 0) return parts.items;
  return parts.open || canBe(parts, "array") ? undefined : "absent";
}

function canBe({ type }: SchemaParts, kind: string): boolean {
  return type === "" || type.split(" or ").includes(kind);
}
