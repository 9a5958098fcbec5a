/** The manifest's shape and limits. Rules that span several members are in `lib/domain/catalog/manifest/check-manifest.ts`. */
import * as z from "zod";
import {
  ENDPOINT_ACCESS,
  ENDPOINT_METHODS,
  FORBIDDEN_NAMES,
  LIFECYCLE_EVENTS,
  MANIFEST_LIMITS,
  MAPPING_FORMATS,
  PERMISSION_NAME,
  PERMISSIONS,
  SETTING_TYPES,
} from "../platform/manifest-terms";
import { VISIBLE, visibleIn } from "../platform/text";

const tooLong = (characters: number) =>
  `This text has more than ${characters.toLocaleString("en-US")} characters.`;

const fieldName = z
  .string()
  .max(MANIFEST_LIMITS.name, tooLong(MANIFEST_LIMITS.name))
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]*$/,
    "Names must start with a letter and contain only letters, digits, '_', '.' and '-'.",
  )
  .refine((name) => !FORBIDDEN_NAMES.includes(name), "This name is reserved in JavaScript.")
  .meta({ not: { enum: FORBIDDEN_NAMES } });

const shownText = z
  .string()
  .max(MANIFEST_LIMITS.text, tooLong(MANIFEST_LIMITS.text))
  .trim()
  .check((context) => {
    const { value: input } = context;
    if (visibleIn(input) !== "") return;
    const limit = { code: "too_small", origin: "string", minimum: 1, inclusive: true } as const;
    context.issues.push({ ...limit, input, message: "This text is empty." });
  })
  .meta({ pattern: VISIBLE });

const hintText = z
  .string()
  .max(MANIFEST_LIMITS.text, tooLong(MANIFEST_LIMITS.text))
  .meta({ description: "Shown below the field: what to enter and where to find it." });

const required = z.boolean().meta({ description: "The customer cannot continue without it." });

const reservedPath = "^/health$|^/_app(/|$)|/\\.{1,2}(/|$)";

/** `format`: the paths it allows, as a regular expression and in words. */
const containerPath = (format: RegExp, message: string) =>
  z
    .string()
    .max(200, tooLong(200))
    .regex(format, message)
    .refine(
      (value) => !value.split("/").some((part) => part === ".." || part === "."),
      "Paths cannot contain '.' or '..' segments.",
    )
    .refine(
      (value) => value !== "/health" && value !== "/_app" && !value.startsWith("/_app/"),
      "'/health' and '/_app' are reserved for the platform.",
    );

const path = containerPath(
  /^(\/|(\/[A-Za-z0-9_~.-]+)+)$/,
  "Paths must be '/', or start with '/', not end with it, and contain only letters, digits, '_', '~', '.' and '-' between slashes.",
).meta({
  description: "The path that the container serves, such as /autofill. Each path belongs to one route.",
  not: { pattern: reservedPath },
});

const endpointPath = containerPath(
  /^(\/|\/\*|(\/[A-Za-z0-9_~.-]+)+(\/\*)?)$/,
  "Paths must be '/', or start with '/', not end with it, and contain only letters, digits, '_', '~', '.' and '-' between slashes. Only the last segment can be '*'.",
)
  .refine(
    (value) => value !== "/*",
    "'/*' would cover '/health' and '/_app', which are reserved for the platform. Declare '/' and the paths that browsers open, such as '/settings' and '/assets/*'.",
  )
  .meta({
    description:
      "The path that the container serves: / itself, such as /settings, or /callbacks/* for all paths below it.",
    not: { pattern: `${reservedPath}|^/\\*$` },
  });

const pattern = z
  .string()
  .max(100, tooLong(100))
  .regex(/^[A-Za-z0-9_*-]+(\.[A-Za-z0-9_*-]+)*$/, "This is not a dotted name. '*' stands for any one part.");

const patterns = z
  .array(pattern)
  .min(1, "This list is empty.")
  .max(100, "This list has more than 100 entries.");

const settingValue = z.looseObject({
  text: z
    .string()
    .min(1, "This text is empty.")
    .max(MANIFEST_LIMITS.text, tooLong(MANIFEST_LIMITS.text))
    .meta({ description: "The text that the dropdown shows." }),
  value: z
    .string()
    .max(MANIFEST_LIMITS.text, tooLong(MANIFEST_LIMITS.text))
    .meta({ description: "The value that the app receives." }),
});

export const setting = z
  .looseObject({
    name: fieldName.meta({
      description: "The name by which the app reads the setting. A renamed setting is a new setting.",
    }),
    title: shownText.meta({ description: "The label above the field." }),
    type: z
      .enum(SETTING_TYPES, "This is not a setting type.")
      .meta({ description: "A dropdown, a line of text, or a secret." }),
    hint: hintText.optional(),
    required: required.optional(),
    sensitive: z
      .boolean()
      .optional()
      .meta({ description: "Can be entered but never read back. A Password always is." }),
    values: z
      .array(settingValue)
      .min(1, "A Select needs at least one value.")
      .max(MANIFEST_LIMITS.values, `A Select can have up to ${MANIFEST_LIMITS.values} values.`)
      .optional()
      .meta({ description: "The choices of a Select. No other type has values." }),
  })
  .meta({
    description: "A setting that customers fill in when they configure the app.",
    if: { properties: { type: { const: "Select" } }, required: ["type"] },
    // Naming the property again is for validators that are strict about `required`.
    then: { properties: { values: {} }, required: ["values"] },
    else: { properties: { values: false } },
  });
export type Setting = z.infer<typeof setting>;

export const mappingField = z
  .looseObject({
    name: fieldName.meta({ description: "The name by which the app reads the mapping." }),
    title: shownText.meta({ description: "The label above the field." }),
    hint: hintText.optional(),
    required: required.optional(),
    format: z.enum(MAPPING_FORMATS, "This is not a mapping format.").optional().meta({
      description:
        "jsonpath (the default) is checked and tried on a sample. text can be any text and is not checked.",
    }),
  })
  .meta({ description: "Customers map it to a field of each of their products." });
export type MappingField = z.infer<typeof mappingField>;

export const endpoint = z
  .looseObject({
    path: endpointPath,
    methods: z
      .array(z.enum(ENDPOINT_METHODS, "Endpoints don't support this method."))
      .min(1, "This list is empty.")
      .max(ENDPOINT_METHODS.length, `This list has more than ${ENDPOINT_METHODS.length} entries.`)
      .meta({ description: "The methods that callers can use. GET includes HEAD." }),
    access: z
      .enum(ENDPOINT_ACCESS, "This is not a valid kind of access.")
      .meta({ description: "core: callers need the tenant's core credential. public: anyone can call it." }),
    title: shownText.meta({ description: "What it is for. Customers read it before they open it." }),
  })
  .meta({ description: "A path that third parties or browsers reach through the platform." });
export type Endpoint = z.infer<typeof endpoint>;

/** What a customer reads of a public endpoint before opening it. */
export type PublicEndpoint = Pick<Endpoint, "path" | "methods" | "title">;

const endpoints = z
  .array(endpoint)
  .max(50, "This list has more than 50 entries.")
  .meta({ description: "Paths that third parties or browsers reach at <gateway>/r/<routeId>/<path>." });

const settings = z
  .array(setting)
  .max(MANIFEST_LIMITS.settings, `An app can have up to ${MANIFEST_LIMITS.settings} settings.`)
  .meta({ description: "The settings, in the order that customers see them." });

const mappingFields = z
  .array(mappingField)
  .max(MANIFEST_LIMITS.settings, `An app can have up to ${MANIFEST_LIMITS.settings} mapping fields.`)
  .meta({ description: "Fields that customers map to fields of their products." });

const routes = <Shape extends z.core.$ZodLooseShape>(description: string, members: Shape) =>
  z
    .array(z.looseObject({ path, ...members }))
    .max(50, "This list has more than 50 entries.")
    .optional()
    .meta({ description });

const purpose = shownText.meta({ description: "Why the app needs it. Customers read it before they agree." });

export const permission = z
  .looseObject({
    name: z
      .string()
      .max(MANIFEST_LIMITS.name, tooLong(MANIFEST_LIMITS.name))
      .regex(PERMISSION_NAME, "Write a permission as a resource, a colon, and an action.")
      .meta({ description: "A right in the core, such as policies:read." }),
    purpose,
  })
  .meta({ description: "What the app may do in the core, as the scope of the tokens that it gets." });

const hostName = z.string().max(255, tooLong(255)).meta({
  description: "A host, or all hosts below one: api.example.com, *.example.com.",
  pattern: "^(\\*\\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$",
});

export const host = z
  .looseObject({
    host: hostName.optional(),
    setting: fieldName.optional().meta({
      description: "A Text setting in which customers enter the address of a host of their own.",
    }),
    ports: z
      .array(z.int().min(1, "The lowest port is 1.").max(65_535, "The highest port is 65535."))
      .min(1, "This list is empty.")
      .max(20, "This list has more than 20 entries.")
      .optional()
      .meta({ description: "The ports of the host. TLS on every port except 80, which is HTTP." }),
    purpose,
    optional: z.boolean().optional().meta({ description: "The app works without it." }),
  })
  .meta({
    description: "A host outside of the platform that the app connects to.",
    if: { properties: { setting: {} }, required: ["setting"] },
    then: { properties: { host: false, ports: false } },
    else: { properties: { host: {} }, required: ["host"] },
  });
export type Host = z.infer<typeof host>;

const core = z
  .looseObject({
    fields: mappingFields.optional(),
    webhooks: routes("Paths that receive the core's events.", {
      events: patterns.meta({ description: "The events to receive, such as policy.issued." }),
    }),
    autofill: routes("Paths that fill in fields during the core's operations.", {
      operations: patterns.meta({ description: "The operations, such as newBusiness.*." }),
    }),
    externalRaters: routes("Raters that the core can ask for a price.", {
      name: shownText.meta({ description: "The name that users see." }),
    }),
    endpoints: endpoints.optional(),
    lifecycle: z
      .array(z.enum(LIFECYCLE_EVENTS, "This is not a lifecycle event."))
      .max(20, "This list has more than 20 entries.")
      .optional()
      .meta({ description: "The hooks that the container serves at /_app/<event>." }),
    permissions: z
      .array(permission)
      .max(MANIFEST_LIMITS.rights, `An app can ask for up to ${MANIFEST_LIMITS.rights} permissions.`)
      .optional()
      .meta({
        description:
          "What the app may do in the core. Customers agree to it at launch. Without this list, whatever the core allows apps that list none; with an empty one, nothing.",
      }),
    hosts: z
      .array(host)
      .max(MANIFEST_LIMITS.rights, `An app can name up to ${MANIFEST_LIMITS.rights} hosts.`)
      .optional()
      .meta({
        description:
          "The hosts that the app connects to. Without this list, any host on the internet; with an empty one, none.",
      }),
    configurationCheck: z.boolean().optional().meta({
      description:
        "The container checks settings at POST /_app/check before they are saved. Customers can save without it.",
    }),
  })
  .meta({ description: "What the app does for the core policy-administration system." });

export const manifest = z.looseObject({
  $schema: z.string().optional().meta({ description: "The schema of this file, for editors." }),
  name: z
    .string()
    .max(81, tooLong(81))
    .meta({ description: "<org-name>/<app-name>, such as acme/vin-lookup." }),
  version: z
    .string()
    .max(50, tooLong(50))
    .meta({ description: "Three numbers, such as 1.4.0. Publishing increases the second one." }),
  app: z
    .looseObject({ fields: settings.optional() })
    .optional()
    .meta({ description: "What customers configure. An app without settings can leave it out." }),
  core: core.optional(),
});
export type Manifest = z.infer<typeof manifest>;

/** Must agree with `splitAppName`: two slugs of 2 to 40 characters. */
const APP_NAME = "^(?=[^/]{2,40}/[^/]{2,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*/[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/** Must agree with `parseVersion`: three numbers of up to 15 digits, without leading zeros. */
const VERSION = "^(0|[1-9]\\d{0,14})(\\.(0|[1-9]\\d{0,14})){2}$";

/**
 * The JSON Schema of `platform-app.json`, for editors that complete and check the file, generated from the validator's
 * shape. Draft 7, because VS Code supports later drafts only in part. It cannot express that names, paths, values and
 * keys are unique, or how large and deep a file may be; the validator checks that.
 * @param permissions those that editors suggest
 */
export function manifestSchema(id: string, permissions: readonly string[] = PERMISSIONS): object {
  const named = manifest.extend({
    name: manifest.shape.name.meta({ pattern: APP_NAME }),
    version: manifest.shape.version.meta({ pattern: VERSION }),
  });
  const schema = z.toJSONSchema(named, {
    ...{ target: "draft-07", io: "input", reused: "inline" },
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === permission.shape.name) jsonSchema.examples = [...permissions];
    },
  });
  const title = "App manifest (platform-app.json)";
  const copy: object = JSON.parse(JSON.stringify({ ...schema, $id: id, title }));
  return copy;
}
