/** Is a path's place in a product's schema? */
import type { MappingField } from "@/lib/contract/manifest";
import { leadingSteps, parsePath, type Step } from "./json-path";
import { partsOf, placeOfAll, type Place, type SchemaParts } from "./schema-parts";

/**
 * `many`: it can name several places, so the app may find several values. `unknown`: the schema allows it and does not
 * describe it. Only `invalid` is refused: a schema can be behind the data.
 */
export interface PathCheck {
  verdict: "found" | "not-in-schema" | "many" | "unknown" | "invalid";
  /** JSON Schema's type of the place, in words. */
  type?: string;
  message: string;
}

export function checkPath(schema: unknown, path: string): PathCheck {
  const { query, fault } = parsePath(path);
  if (query === undefined) return { verdict: "invalid", message: fault.message };
  const place = placeAt(schema, leadingSteps(query));
  if (typeof place === "string") return { verdict: "not-in-schema", message: place };
  if (!query.singularQuery())
    return { verdict: "many", message: "It can find several values. The app gets the path as it is." };
  if (place === undefined)
    return { verdict: "unknown", message: "The product's schema allows it, and does not describe it." };
  const { type } = partsOf(schema, place);
  return type === ""
    ? { verdict: "found", message: "It is in the product's schema." }
    : { verdict: "found", type, message: `It is in the product's schema: ${type}.` };
}

/** The mapped paths that a schema does not have, which may have changed since they were mapped. */
export function missingPaths(
  schema: unknown,
  fields: Readonly<Record<string, string>>,
): { name: string; path: string }[] {
  return Object.entries(fields)
    .filter(([, path]) => !isUsable(schema, path))
    .map(([name, path]) => ({ name, path }));
}

export interface CopiedPaths {
  /** By field: what the other product's schema has, or may have. */
  paths: Record<string, string>;
  missing: { name: string; path: string }[];
}

/** What of another product's mapping also holds for the product with this schema; declared fields alone. */
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
  const { verdict } = checkPath(schema, path);
  return verdict !== "not-in-schema" && verdict !== "invalid";
}

/** The place that the steps lead to; undefined: the schema does not describe it; words: it has no such place. */
function placeAt(schema: unknown, steps: readonly Step[]): Place | string | undefined {
  let place: Place = placeOfAll(schema);
  let around = "The product's schema";
  for (const step of steps) {
    if (place.schemas.includes(false)) return `${around} has nothing here.`;
    const next =
      typeof step === "string"
        ? memberAt(partsOf(schema, place), step)
        : elementAt(partsOf(schema, place), step);
    if (next === undefined) return undefined;
    if (next === "absent")
      return typeof step === "string"
        ? `${around} has no '${step}'.`
        : `${around} is no list with such an element.`;
    place = next;
    around = typeof step === "string" ? `'${step}'` : "The element";
  }
  return place;
}

function memberAt(parts: SchemaParts, name: string): Place | "absent" | undefined {
  const place = parts.properties.get(name);
  if (place !== undefined) return place;
  if (parts.open || parts.additional === true) return undefined;
  const undescribed = parts.additional === undefined && parts.properties.size === 0;
  return undescribed && can(parts, "object") ? undefined : "absent";
}

function elementAt(parts: SchemaParts, index: number): Place | "absent" | undefined {
  const place = index < 0 ? undefined : parts.positions[index];
  if (place !== undefined) return place;
  if (parts.items !== undefined && parts.items !== false && parts.positions.length === 0) return parts.items;
  if (parts.items === false && (index >= 0 || parts.positions.length === 0))
    return parts.open ? undefined : "absent";
  if (parts.items !== undefined && parts.items !== false && index >= 0) return parts.items;
  return parts.open || can(parts, "array") ? undefined : "absent";
}

function can({ type }: SchemaParts, kind: string): boolean {
  return type === "" || type.split(" or ").includes(kind);
}
