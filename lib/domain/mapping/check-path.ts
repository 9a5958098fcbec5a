/** Checks a path against a product's schema. */
import type { MappingField } from "@/lib/contract/manifest";
import { leadingSteps, parsePath, type Step } from "./json-path";
import { readParts, wholeDocument, type Position, type SchemaParts } from "./schema-parts";

/**
 * `many`: the app may find several values. `unknown`: the schema allows the path without describing it. Only `invalid`
 * is refused, because a schema can be older than the data.
 */
export interface PathCheck {
  result: "found" | "not-in-schema" | "many" | "unknown" | "invalid";
  /** JSON Schema's type as text. */
  type?: string;
  message: string;
}

export function checkPath(schema: unknown, path: string): PathCheck {
  const { query, issue } = parsePath(path);
  if (query === undefined) return { result: "invalid", message: issue.message };
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

/** The mapped paths that a schema does not have. It may have changed since they were mapped. */
export function missingPaths(
  schema: unknown,
  fields: Readonly<Record<string, string>>,
): { name: string; path: string }[] {
  return Object.entries(fields)
    .filter(([, path]) => !isUsable(schema, path))
    .map(([name, path]) => ({ name, path }));
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
  const from = new Map(Object.entries(fromPaths));
  const mapped = fields.flatMap(({ name }) => {
    const path = from.get(name) ?? "";
    return path === "" ? [] : [{ name, path }];
  });
  const present = mapped.filter(({ path }) => isUsable(toSchema, path));
  return {
    paths: Object.fromEntries(present.map(({ name, path }) => [name, path])),
    missing: mapped.filter((one) => !present.includes(one)),
  };
}

function isUsable(schema: unknown, path: string): boolean {
  const { result } = checkPath(schema, path);
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
