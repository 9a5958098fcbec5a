/** The operations of the OpenAPI document as the documentation shows them. */
import * as z from "zod";
import type { Platform } from "../../platform/platform";
import { readApiDescription } from "./all-routes";

export interface ApiMember {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

export interface ApiContent {
  mediaType: string;
  members: ApiMember[];
  /** Formatted JSON. */
  example?: string;
}

export interface ApiOperation {
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  /** What proves who calls, such as "API key". */
  authentication: string;
  parameters: (ApiMember & { place: string })[];
  body?: ApiContent;
  answer: { status: string; content?: ApiContent };
  problems: { status: string; codes: string[] }[];
  curl: string;
}

interface Schema {
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
    format: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    anyOf: z.array(schema).optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
  }),
);

const content = z.record(
  z.string(),
  z.object({ schema: schema.optional(), example: z.unknown().optional() }),
);

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(""),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: z.string().default(""),
        schema: schema.optional(),
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});
type DocumentedOperation = z.infer<typeof operation>;

const document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string().default("") })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

export interface ApiTag {
  name: string;
  description: string;
  operations: ApiOperation[];
}

const listed = new Map<string, ApiTag[]>();

/** By tag, in the document's order. Parsed once. */
export function listOperations({ environment }: Platform): ApiTag[] {
  const server = environment.PLATFORM_GATEWAY_URL;
  const known = listed.get(server);
  if (known !== undefined) return known;
  const { tags, paths } = document.parse(JSON.parse(readApiDescription(environment)));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      describeOperation(server, method.toUpperCase(), path, described),
    ),
  );
  const grouped = tags.map((tag) => ({
    ...tag,
    operations: mergeMethods(operations.filter((each) => each.tag === tag.name)),
  }));
  listed.set(server, grouped);
  return grouped;
}

/** An endpoint of an app answers to any method, which the document has to repeat. */
function mergeMethods(operations: readonly ApiOperation[]): ApiOperation[] {
  const merged: ApiOperation[] = [];
  for (const each of operations) {
    const same = merged.find(({ path, summary }) => path === each.path && summary === each.summary);
    if (same === undefined) merged.push({ ...each });
    else same.method = `${same.method}, ${each.method}`;
  }
  return merged;
}

function describeOperation(
  server: string,
  method: string,
  path: string,
  described: DocumentedOperation,
): ApiOperation {
  const { operationId, tags, summary, description, security, parameters, requestBody, responses } = described;
  const [status = "", done] = Object.entries(responses).find(([each]) => each.startsWith("2")) ?? [];
  const body = describeContent(requestBody?.content);
  const authentication = describeAuthentication(path, security);
  return {
    id: operationId,
    tag: tags[0] ?? "",
    method,
    path,
    summary,
    description,
    authentication,
    parameters: parameters.map(({ name, in: place, required, description: text, schema: shape = {} }) => ({
      place,
      path: name,
      type: describeType(shape),
      required,
      description: text === "" ? (shape.description ?? "") : text,
    })),
    body,
    answer: { status, content: describeContent(done?.content) },
    problems: Object.entries(responses)
      .filter(([each]) => !each.startsWith("2"))
      .map(([each, { description: codes }]) => ({ status: each, codes: codes.split(", ") })),
    curl: writeCurl(server, method, path, authentication, body),
  };
}

function describeAuthentication(path: string, security: readonly Record<string, unknown>[]): string {
  const schemes = security.flatMap((each) => Object.keys(each));
  if (schemes.includes("publisher")) return "API key";
  if (schemes.includes("core"))
    return security.length > 1 ? "Core credential, if the endpoint is not public" : "Core credential";
  return path.includes("{key}") ? "State key, in the path" : "None";
}

function describeContent(
  contents: DocumentedOperation["responses"][string]["content"],
): ApiContent | undefined {
  const [mediaType, found] = Object.entries(contents ?? {})[0] ?? [];
  if (mediaType === undefined || found === undefined) return undefined;
  const { schema: shape, example } = found;
  return {
    mediaType,
    members: shape === undefined ? [] : listMembers(shape, ""),
    example: example === undefined ? undefined : JSON.stringify(example, null, 2),
  };
}

/** Objects come before their own members; `[]` stands for each entry of a list. */
function listMembers(shape: Schema, prefix: string): ApiMember[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const row = {
      path,
      type: describeType(member),
      required: shape.required?.includes(name) === true,
      description: member.description ?? "",
    };
    const inner = member.items === undefined ? [] : listMembers(member.items, `${path}[].`);
    return [row, ...listMembers(member, `${path}.`), ...inner];
  });
}

function describeType(shape: Schema): string {
  if (shape.enum !== undefined) return shape.enum.map(String).join(" | ");
  if (shape.const !== undefined) return String(shape.const);
  if (shape.anyOf !== undefined) return [...new Set(shape.anyOf.map(describeType))].join(" or ");
  if (shape.type === "array") return `list of ${describeType(shape.items ?? {})}`;
  const { format = "", type = "any" } = shape;
  if (["date-time", "date", "email", "uuid", "uri"].includes(format)) return format;
  return Array.isArray(type) ? type.join(" or ") : type;
}

const CREDENTIALS: Record<string, string> = {
  "API key": ' \\\n  --user "$PLATFORM_CLIENT_ID:$PLATFORM_API_KEY"',
  "Core credential": ' \\\n  --header "Authorization: Bearer $CORE_CREDENTIAL"',
};

function writeCurl(
  server: string,
  method: string,
  path: string,
  authentication: string,
  body: ApiContent | undefined,
): string {
  const verb = method === "GET" ? "" : method === "HEAD" ? " --head" : ` --request ${method}`;
  const data = body === undefined ? "" : writeData(body);
  return `curl${verb} "${server}${path}"${CREDENTIALS[authentication] ?? ""}${data}`;
}

function writeData({ mediaType, example }: ApiContent): string {
  if (mediaType === "*/*") return "";
  const header = ` \\\n  --header "Content-Type: ${mediaType}"`;
  if (mediaType !== "application/json") return `${header} \\\n  --data-binary @file`;
  const compact = example === undefined ? "{}" : JSON.stringify(JSON.parse(example));
  return `${header} \\\n  --data '${compact.replaceAll("'", String.raw`'\''`)}'`;
}
