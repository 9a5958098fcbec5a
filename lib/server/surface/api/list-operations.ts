/** The operations of the gateway as the documentation shows them. */
import * as z from "zod";
import type { ApiPart } from "@/lib/contract/platform/docs-pages";
import type { Platform } from "../../platform/platform";
import { ROUTES } from "./all-routes";
import { contentOfBody, listParameters, listProblems, splitName, TAGS, toOperationId } from "./describe-api";
import type { Content, Route } from "./routes/route";

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
  /** The page of the documentation that it is on. */
  part: ApiPart;
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

export interface ApiTag {
  name: string;
  description: string;
  operations: ApiOperation[];
}

const listed = new Map<string, ApiTag[]>();

/** By tag, in the document's order. Listed once. */
export function listOperations({ environment }: Platform): ApiTag[] {
  const server = environment.PLATFORM_GATEWAY_URL;
  const known = listed.get(server);
  if (known !== undefined) return known;
  const grouped = TAGS.map((tag) => ({
    ...tag,
    operations: ROUTES.filter(({ credential }) => credential.tag === tag.name).map((route) =>
      describeOperation(server, route),
    ),
  }));
  listed.set(server, grouped);
  return grouped;
}

function describeOperation(server: string, route: Route): ApiOperation {
  const { credential, summary, description = "", query, status = 200, answer } = route;
  const { path, methods } = splitName(route);
  const [method = ""] = methods;
  const body = describeContent(contentOfBody(route, method), "input");
  return {
    id: toOperationId(route, method),
    part: findPart(credential.tag, path),
    method: methods.join(", ").toUpperCase(),
    path,
    summary,
    description,
    authentication: credential.proof,
    parameters: [
      ...listParameters(route).map(([name, text]) => ({
        place: "path",
        path: name,
        type: "string",
        required: true,
        description: text,
      })),
      ...listMembers(toSchema(query, "input")).map((member) => ({ place: "query", ...member })),
    ],
    body,
    answer: { status: `${status}`, content: describeContent(answer.content, "output") },
    problems: [...listProblems(route)]
      .map(([each, codes]) => ({ status: `${each}`, codes }))
      .sort((one, other) => Number(one.status) - Number(other.status)),
    curl: writeCurl(server, method.toUpperCase(), path, credential.proof, body),
  };
}

const PARTS: Record<Exclude<Route["credential"]["tag"], "Publish">, ApiPart> = {
  State: "state",
  Core: "core",
  Endpoints: "endpoints",
  Platform: "platform",
};

/** Of publishers' tools, by what is below an app. */
const PUBLISH_PARTS: readonly (readonly [RegExp, ApiPart])[] = [
  [/\/(versions|uploads)\b/, "versions"],
  [/\/manifest\b/, "drafts"],
  [/\/reviews\b/, "reviews"],
  [/\/log\b/, "logs"],
  [/\/(calls|replays)\b/, "calls"],
];

function findPart(tag: Route["credential"]["tag"], path: string): ApiPart {
  if (tag !== "Publish") return PARTS[tag];
  return PUBLISH_PARTS.find(([pattern]) => pattern.test(path))?.[1] ?? "apps";
}

function describeContent(content: Content | undefined, io: "input" | "output"): ApiContent | undefined {
  if (content === undefined) return undefined;
  const { type, schema, example } = content;
  return {
    mediaType: type,
    members: listMembers(toSchema(schema, io)),
    example: example === undefined ? undefined : JSON.stringify(example, null, 2),
  };
}

type Schema = z.core.JSONSchema.JSONSchema;

function toSchema(schema: z.ZodType | undefined, io: "input" | "output"): Schema {
  return schema === undefined ? {} : z.toJSONSchema(schema, { io, reused: "inline", unrepresentable: "any" });
}

/** Objects come before their own members; `[]` stands for each entry of a list. */
function listMembers(shape: Schema, prefix = ""): ApiMember[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, given]) => {
    const path = `${prefix}${name}`;
    const member = asObject(given);
    const row = {
      path,
      type: describeType(member),
      required: shape.required?.includes(name) === true,
      description: member.description ?? "",
    };
    return [row, ...listMembers(member, `${path}.`), ...listMembers(asObject(member.items), `${path}[].`)];
  });
}

/** JSON Schema allows `true` for anything, and several shapes for the items of a list, which no route uses. */
function asObject(schema: Schema["items"]): Schema {
  return typeof schema === "object" && !Array.isArray(schema) ? schema : {};
}

function describeType(shape: Schema): string {
  if (shape.enum !== undefined) return shape.enum.map(String).join(" | ");
  if (shape.const !== undefined) return String(shape.const);
  if (shape.anyOf !== undefined) return [...new Set(shape.anyOf.map(describeType))].join(" or ");
  if (shape.type === "array") return `list of ${describeType(asObject(shape.items))}`;
  // Objects of several kinds.
  if (shape.oneOf !== undefined) return "object";
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
