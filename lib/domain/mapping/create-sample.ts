/** Policy data of a product for trying out paths. */
import { readParts, wholeDocument, type Position, type SchemaParts } from "./schema-parts";

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
