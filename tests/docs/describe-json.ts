/** The page of what `--json` prints, written from the shapes of `cli/json-shapes.ts`: `npm run docs:cli`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { FAILED_LINE, JSON_SHAPES } from "@/cli/json-shapes";
import { toTable } from "./describe-commands";
import { GUIDE } from "./read-documents";

export const JSON_FILE = path.join(GUIDE, "json.md");

/** Below this heading, everything is written from the shapes. */
const HEADING = "## Commands";

/** The whole page: what is written by hand, then what each command prints. */
export function describeJson(): string {
  const [text = ""] = readFileSync(JSON_FILE, "utf8").split(`\n${HEADING}\n`);
  const commands = Object.entries(JSON_SHAPES).map(([name, { lines, shapes }]) =>
    [
      `### ${name}`,
      lines,
      ...Object.entries(shapes).map(([kind, shape]) =>
        [...(kind === "" ? [] : [`If \`event\` is \`${kind}\`:`]), describeShape(shape)].join("\n\n"),
      ),
    ].join("\n\n"),
  );
  const failed = ["## Errors", ERRORS, describeShape(FAILED_LINE)].join("\n\n");
  return `${[text.trimEnd(), HEADING, ...commands, failed].join("\n\n")}\n`;
}

const ERRORS =
  "A command that fails prints this as its last line, and its [exit status](/docs/cli#exit-statuses) is not 0. `status`, `validate` and `call`\n" +
  "print only their result, which says what is wrong.";

interface SchemaNode {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  description?: string;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: SchemaNode | boolean;
  $ref?: string;
}

const node: z.ZodType<SchemaNode> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    format: z.string().optional(),
    description: z.string().optional(),
    anyOf: z.array(node).optional(),
    oneOf: z.array(node).optional(),
    items: node.optional(),
    properties: z.record(z.string(), node).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([node, z.boolean()]).optional(),
    $ref: z.string().optional(),
  }),
);

/** The JSON Schema of a line, which allows no member that the shape doesn't have. */
export function toSchema(shape: z.ZodType) {
  return z.toJSONSchema(shape, { io: "output", unrepresentable: "any" });
}

function describeShape(shape: z.ZodType): string {
  return toTable(["member", "type", "meaning"], listRows(node.parse(toSchema(shape)), ""));
}

/** A row for each member, with those of objects and lists below it. */
function listRows(schema: SchemaNode, prefix: string): string[][] {
  return listMembers(schema).flatMap(({ name, member, note }) => {
    const at = prefix + name;
    const own = [`\`${at}\``, describeType(member, name) + note, member.description ?? ""];
    return [own, ...listInner(member).flatMap(([suffix, inner]) => listRows(inner, at + suffix))];
  });
}

/** Of an object, or of a choice of objects, whose members are then listed together. */
function listMembers(schema: SchemaNode): { name: string; member: SchemaNode; note: string }[] {
  const variants = listVariants(schema);
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.map((name) => {
    const having = variants.filter(({ properties = {} }) => properties[name] !== undefined);
    const members = having.flatMap(({ properties = {} }) => properties[name] ?? []);
    const constants = members.filter((member) => member.const !== undefined);
    const [first = {}] = members;
    const member =
      constants.length === members.length && members.length > 1
        ? { ...first, const: undefined, enum: members.map((each) => each.const) }
        : first;
    const isOptional = having.some(({ required = [] }) => !required.includes(name));
    const others = having.length < variants.length ? describeVariants(having) : "";
    return { name, member, note: others + (isOptional ? ", optional" : "") };
  });
}

function listVariants(schema: SchemaNode): SchemaNode[] {
  if (schema.properties !== undefined) return [schema];
  return (schema.anyOf ?? schema.oneOf ?? []).flatMap(listVariants);
}

/** By the constant that tells them apart. */
function describeVariants(having: readonly SchemaNode[]): string {
  const said = having.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, member]) =>
      member.const === undefined ? [] : [`\`${name}\` is \`${String(member.const)}\``],
    ),
  );
  return `, only if ${said.join(" or ")}`;
}

/** What a member contains, with the text between its name and those of its own members. */
function listInner(member: SchemaNode): [suffix: string, inner: SchemaNode][] {
  if (listVariants(member).length > 0) return [[".", member]];
  const parts = [member, ...(member.anyOf ?? [])];
  const items = parts.find((part) => part.items !== undefined)?.items;
  return items !== undefined && listVariants(items).length > 0 ? [["[].", items]] : [];
}

/** More are codes, which have a page of their own. */
const MOST_VALUES = 12;

/** With the unit that the name says. */
function describeType(schema: SchemaNode, name: string): string {
  const { type, enum: values, format, anyOf, items, additionalProperties } = schema;
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (values !== undefined && values.length > MOST_VALUES) return "code of [Errors](/docs/errors)";
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (Array.isArray(type))
    return type.map((each) => describeType({ ...schema, type: each }, name)).join(" or ");
  const choices = anyOf ?? schema.oneOf;
  if (schema.$ref !== undefined) return "any JSON";
  if (choices !== undefined) {
    const isAny = choices.some((choice) => choice.items?.$ref !== undefined || choice.$ref !== undefined);
    const kinds = [...new Set(choices.map((choice) => describeType(choice, name)))];
    return isAny ? "any JSON" : kinds.join(" or ");
  }
  switch (type) {
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "integer":
    case "number":
      return `${type === "integer" ? "whole number" : "number"}${describeUnit(name)}`;
    case "array":
      return `list of ${items === undefined ? "any JSON" : toPlural(describeType(items, name))}`;
    case "object":
      return typeof additionalProperties === "object" && schema.properties === undefined
        ? `object: ${describeType(additionalProperties, name)} by name`
        : "object";
    case "string":
      return TEXTS[format ?? ""] ?? "text";
    default:
      return "any JSON";
  }
}

const TEXTS: Record<string, string> = { "date-time": "time", uri: "URL", uuid: "UUID" };

function describeUnit(name: string): string {
  if (/^ms$|Ms$/.test(name)) return " of milliseconds";
  return /bytes$/i.test(name) ? " of bytes" : "";
}

function toPlural(type: string): string {
  return /^(text|object|URL|UUID|time|number|whole number)$/.test(type) ? `${type}s` : type;
}
