/** A member that a JSON Schema describes, for a table. */
export interface SchemaMember {
  /** From the top, such as `data.premium.amount`. */
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** The members below a JSON pointer of one member name, such as `/data`, in the schema's order, objects before their own. */
export function listMembers(schema: object, pointer: string): SchemaMember[] {
  const name = pointer.slice(1);
  const start = readRecord(readRecord(schema, "properties"), name);
  return listBelow(start, name);
}

function listBelow(schema: object, path: string): SchemaMember[] {
  const required = "required" in schema && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(readRecord(schema, "properties")).flatMap(([name, member]) => {
    if (typeof member !== "object" || member === null) return [];
    const here = `${path}.${name}`;
    const description = readText(member, "description");
    const row = { path: here, type: describeType(member), required: required.includes(name), description };
    return [row, ...listBelow(member, here)];
  });
}

function describeType(schema: object): string {
  const format = readText(schema, "format");
  if (format === "date" || format === "date-time" || format === "email") return format;
  const type = readText(schema, "type");
  return type === "" ? "any" : type;
}

function readText(schema: object, name: string): string {
  const value: unknown = Object.entries(schema).find(([key]) => key === name)?.[1];
  return typeof value === "string" ? value : "";
}

function readRecord(schema: object, name: string): object {
  const value: unknown = Object.entries(schema).find(([key]) => key === name)?.[1];
  return typeof value === "object" && value !== null ? value : {};
}
