/** Every key of the manifest with its rules, from the validator's own JSON Schema: the documentation can't differ from it. */
import type { ManifestCode } from "@/lib/contract/platform/issue-codes";

export interface ManifestKey {
  /** From the top; `[]` stands for each entry of a list, as in `app.fields[].name`. */
  path: string;
  type: string;
  required: boolean;
  default?: string;
  /** The values that it can have. */
  values: string[];
  /** In words, such as "up to 64 characters". */
  limits: string[];
  description: string;
  example?: string;
  /** What the validator can report about it. */
  codes: ManifestCode[];
}

/** What leaving out a key means. */
const DEFAULTS: Readonly<Record<string, string>> = {
  "app.fields[].required": "false",
  "app.fields[].sensitive": "false; true for a Password",
  "core.fields[].required": "false",
  "core.fields[].format": "jsonpath",
  "core.configurationCheck": "false",
  "core.permissions": "whatever cores allow apps that list none",
  "core.hosts": "any host on the internet",
  "core.hosts[].ports": "443",
  "core.hosts[].optional": "false",
};

/** Rules that span several keys, which a schema can't express: `lib/domain/catalog/manifest/check-manifest.ts`. */
const RULES: Readonly<Record<string, readonly ManifestCode[]>> = {
  name: ["BAD_NAME"],
  version: ["BAD_VERSION"],
  "app.fields": ["NO_SETTINGS", "LOOKS_SECRET"],
  "app.fields[].name": ["DUPLICATE_NAME"],
  "app.fields[].values": ["VALUES_MISSING", "VALUES_NOT_ALLOWED"],
  "app.fields[].values[].value": ["DUPLICATE_VALUE"],
  "core.fields[].name": ["DUPLICATE_NAME"],
  "core.webhooks[].path": ["DUPLICATE_PATH"],
  "core.autofill[].path": ["DUPLICATE_PATH"],
  "core.externalRaters[].name": ["DUPLICATE_NAME"],
  "core.externalRaters[].path": ["DUPLICATE_PATH"],
  "core.endpoints[].path": ["DUPLICATE_PATH", "PATH_COLLISION"],
  "core.endpoints[].methods": ["DUPLICATE_METHOD"],
  "core.lifecycle": ["DUPLICATE_EVENT"],
  "core.configurationCheck": ["NOTHING_TO_CHECK"],
  "core.permissions[].name": ["DUPLICATE_NAME", "UNKNOWN_PERMISSION"],
  "core.hosts": ["UNDECLARED_HOSTS"],
  "core.hosts[].host": ["MISSING", "BAD_HOST", "DUPLICATE_HOST"],
  "core.hosts[].setting": ["UNKNOWN_SETTING", "DUPLICATE_HOST"],
  "core.hosts[].ports": ["BAD_HOST", "DUPLICATE_VALUE"],
  "core.hosts[].optional": ["REQUIRED_HOST"],
};

/** Reported at the key itself or one of its entries. */
const BIDI_KEYS =
  /^(app\.fields|core\.(fields|externalRaters|endpoints|permissions|hosts))\[\]\.(title|hint|name|purpose|values\[\]\.text)$/;

/** Issues of the file as a whole, or of any key in it. */
export const FILE_CODES: readonly ManifestCode[] = [
  "BROKEN_JSON",
  "TOO_LARGE",
  "TOO_DEEP",
  "BYTE_ORDER_MARK",
  "DUPLICATE_KEY",
  "RESERVED_KEY",
  "BAD_CHARACTER",
  "UNKNOWN_KEY",
  "MISPLACED_KEY",
];

interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: string[];
  pattern?: string;
  not?: { enum?: string[]; pattern?: string };
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** `schema` is what `manifestSchema` returns, and `example` a manifest that has every key. */
export function listManifestKeys(schema: Schema, example: unknown): ManifestKey[] {
  return listBelow(schema, "", example);
}

function listBelow(schema: Schema, prefix: string, example: unknown): ManifestKey[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = `${prefix}${name}`;
    const found = findMember(example, name);
    const key = describeKey(path, member, schema.required?.includes(name) === true, found);
    const { items } = member;
    if (items?.properties === undefined) return [key, ...listBelow(member, `${path}.`, found)];
    const entry: unknown = Array.isArray(found) ? mergeEntries(found) : undefined;
    return [key, ...listBelow(items, `${path}[].`, entry)];
  });
}

function describeKey(path: string, member: Schema, required: boolean, example: unknown): ManifestKey {
  const { items } = member;
  const isScalar = typeof example === "string" || typeof example === "boolean";
  const isShort = Array.isArray(example) && example.every((entry) => typeof entry !== "object");
  return {
    path,
    type: describeType(member),
    required,
    default: DEFAULTS[path],
    values: member.enum ?? items?.enum ?? [],
    limits: [...describeLimits(member, path), ...(items === undefined ? [] : describeEntryLimits(items))],
    description: member.description ?? "",
    example: isScalar || isShort ? JSON.stringify(example) : undefined,
    codes: listCodes(path, member, required),
  };
}

function describeType({ type = "any", items }: Schema): string {
  if (items === undefined) return type;
  return items.type === "object" ? "list of objects" : `list of ${items.type ?? "any"}s`;
}

function describeLimits(schema: Schema, path: string): string[] {
  const { minItems, maxItems, maxLength } = schema;
  return [
    ...(minItems === undefined ? [] : [`at least ${minItems}`]),
    ...(maxItems === undefined ? [] : [`up to ${maxItems} entries`]),
    ...(maxLength === undefined ? [] : [`up to ${maxLength.toLocaleString("en-US")} characters`]),
    ...(isShownText(schema) ? ["at least one visible character"] : []),
    ...(/(webhooks|autofill|externalRaters|endpoints)\[\]\.path$/.test(path)
      ? ["not /health, not /_app"]
      : []),
  ];
}

function describeEntryLimits({ maxLength }: Schema): string[] {
  return maxLength === undefined ? [] : [`each up to ${maxLength} characters`];
}

function listCodes(path: string, schema: Schema, required: boolean): ManifestCode[] {
  const { items } = schema;
  const parts = items === undefined || items.properties !== undefined ? [schema] : [schema, items];
  const has = (test: (part: Schema) => boolean) => parts.some(test);
  const isIdentity = path === "name" || path === "version";
  const codes: ManifestCode[] = [
    ...(required ? (["MISSING"] as const) : []),
    "WRONG_TYPE",
    ...(has((part) => part.enum !== undefined) ? (["WRONG_VALUE"] as const) : []),
    ...(has(isTooShort) ? (["TOO_SHORT"] as const) : []),
    ...(has((part) => part.maxLength !== undefined || part.maxItems !== undefined)
      ? (["TOO_LONG"] as const)
      : []),
    ...(!isIdentity && has((part) => part.pattern !== undefined && !isShownText(part))
      ? (["BAD_FORMAT"] as const)
      : []),
    ...(has((part) => part.not !== undefined) ? (["RESERVED"] as const) : []),
    ...(RULES[path] ?? []),
    ...(BIDI_KEYS.test(path) ? (["BIDI_CONTROL"] as const) : []),
  ];
  return codes;
}

function isTooShort(schema: Schema): boolean {
  return schema.minItems !== undefined || schema.minLength !== undefined || isShownText(schema);
}

/** Its pattern asks for one visible character. */
function isShownText({ pattern }: Schema): boolean {
  return pattern?.startsWith("[^\\s") === true;
}

function findMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** The first entry that has a key shows it. */
function mergeEntries(entries: readonly unknown[]): unknown {
  const members = entries.flatMap((entry) =>
    typeof entry === "object" && entry !== null ? Object.entries(entry) : [],
  );
  return Object.fromEntries(members.reverse());
}

/** A manifest that has every key; the reference takes its examples from it. */
export const MANIFEST_EXAMPLE = {
  $schema: "https://platform.example/schemas/platform-app.json",
  name: "acme/vin-lookup",
  version: "1.4.0",
  app: {
    fields: [
      {
        name: "region",
        title: "Region",
        type: "Select",
        hint: "Where your provider stores the data",
        required: true,
        values: [
          { text: "Europe", value: "eu" },
          { text: "North America", value: "us" },
        ],
      },
      { name: "account", title: "Account number", type: "Text", sensitive: true },
      { name: "endpointUrl", title: "Your endpoint", type: "Text" },
    ],
  },
  core: {
    fields: [
      {
        name: "vin",
        title: "VIN",
        hint: "The field with the vehicle identification number",
        required: true,
        format: "jsonpath",
      },
    ],
    webhooks: [{ path: "/events", events: ["policy.issued", "policy.cancelled"] }],
    autofill: [{ path: "/autofill", operations: ["newBusiness.*"] }],
    externalRaters: [{ name: "Telematics", path: "/rate" }],
    endpoints: [{ path: "/callbacks/*", methods: ["GET", "POST"], access: "public", title: "Callbacks" }],
    lifecycle: ["install", "uninstall"],
    permissions: [{ name: "policies:read", purpose: "Reads the vehicle of the policy" }],
    hosts: [
      { host: "api.vin.example", ports: [443], purpose: "Decodes VINs", optional: true },
      { setting: "endpointUrl", purpose: "The customer's own endpoint" },
    ],
    configurationCheck: true,
  },
};
