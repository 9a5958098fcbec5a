import { Problem } from "@/lib/contract/platform/problem";
import { getMember } from "../platform/json-text/json-value";

/**
 * Whether a manifest's pattern (`policy.issued`, `policy.*`) matches a dotted event type or operation. `*` matches one
 * part; as the last part, one or more.
 */
export function matchPattern(pattern: string, name: string): boolean {
  const wanted = pattern.split(".");
  const parts = name.split(".");
  const open = wanted.at(-1) === "*";
  if (open ? parts.length < wanted.length : parts.length !== wanted.length) return false;
  return wanted.every((part, index) => part === "*" || part === parts[index]);
}

/**
 * The rule of `matchPattern` seen from the name, for a database that looks for patterns: the source of a regular expression,
 * for JavaScript and PostgreSQL, that matches the patterns of a name. Nested from the last part to the first, so that it is
 * no longer than the name itself, up to a factor.
 */
export function patternsMatching(name: string): string {
  const parts = name.split(".").map((part) => part.replace(/[^\w-]/g, "\\$&"));
  const nested = parts.reduceRight(
    (rest, part) => (rest === "" ? `(?:\\*|${part})` : `(?:\\*|(?:\\*|${part})\\.${rest})`),
    "",
  );
  return `^${nested}$`;
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchPattern(pattern, name));
}

/**
 * Whether a route that declares these operations accepts a call of `operation`, which may be missing. A route that
 * declares none accepts all calls; one that declares `*` also accepts calls that name no operation.
 */
export function acceptsOperation(declared: readonly string[], operation: unknown): boolean {
  if (declared.length === 0 || declared.includes("*")) return true;
  return typeof operation === "string" && matchesAny(declared, operation);
}

/**
 * The operation that an autofill's payload names: `newBusiness.create` as `operation`, or its two parts as `operation` and
 * `operationType`. Undefined if it names none.
 */
export function readOperation(payload: unknown): string | undefined {
  const [operation, type] = [getMember(payload, "operation"), getMember(payload, "operationType")];
  if (typeof operation !== "string") return undefined;
  if (typeof type !== "string" || type === "" || operation.endsWith(`.${type}`)) return operation;
  return `${operation}.${type}`;
}

/** Whether a route that declares these operations accepts the call, by its whole operation or by `operation` alone. */
export function acceptsPayload(declared: readonly string[], payload: unknown): boolean {
  return (
    acceptsOperation(declared, readOperation(payload)) ||
    acceptsOperation(declared, getMember(payload, "operation"))
  );
}

/** The operation that an autofill's payload names. Throws OPERATION_NOT_DECLARED. */
export function requireOperation(declared: readonly string[], payload: unknown): string | undefined {
  const operation = readOperation(payload);
  if (acceptsPayload(declared, payload)) return operation;
  const named =
    operation !== undefined ? `"${operation.slice(0, 100)}" is not one of them.` : "The request has none.";
  throw new Problem(
    "OPERATION_NOT_DECLARED",
    `This route accepts only these operations: ${declared.join(", ")}. ${named} Send one of them as "operation", or its last part as "operationType".`,
  );
}

/** For one webhook that a person calls: the platform sends it no other events. Throws BAD_INPUT. */
export function requireEvent(declared: readonly string[], type: string): void {
  if (matchesAny(declared, type)) return;
  throw new Problem(
    "BAD_INPUT",
    `This webhook receives only these events: ${declared.join(", ")}. "${type.slice(0, 100)}" is not one of them. Send one of them, or declare it in the manifest.`,
  );
}

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
  if (format === "date" || format === "date-time") return format;
  if (format === "idn-email") return "email";
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
