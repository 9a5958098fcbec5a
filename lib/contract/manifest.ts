/** The manifest's shape, limits and names. The rules that span members are in `lib/domain/manifest`. */
import { z } from "zod";

export const MANIFEST_LIMITS = {
  bytes: 1024 * 1024,
  depth: 32,
  settings: 100,
  values: 200,
  name: 64,
  text: 1000,
} as const;

export const SETTING_TYPES = ["Select", "Text", "Password"] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

export const LIFECYCLE_EVENTS = ["install", "uninstall", "start", "stop"] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/** Names that every JavaScript object inherits. */
export const FORBIDDEN_NAMES: readonly string[] = ["__proto__", "constructor", "prototype"];

const atMost = (characters: number) => `At most ${characters} characters.`;

const fieldName = z
  .string()
  .max(MANIFEST_LIMITS.name, `Names have at most ${MANIFEST_LIMITS.name} characters.`)
  .regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, "Names start with a letter and hold letters, digits, '_', '.' and '-'.")
  .refine((name) => !FORBIDDEN_NAMES.includes(name), "This name is reserved by JavaScript; choose another.")
  .meta({ not: { enum: FORBIDDEN_NAMES } });

const shownText = z
  .string()
  .max(MANIFEST_LIMITS.text, atMost(MANIFEST_LIMITS.text))
  .trim()
  .min(1, "Write what the customer should read.")
  .meta({ pattern: "\\S" });

const hintText = z
  .string()
  .max(MANIFEST_LIMITS.text, atMost(MANIFEST_LIMITS.text))
  .meta({ description: "Shown below the field: what to enter, and where to find it." });

const required = z.boolean().meta({ description: "The customer cannot go on without it." });

const path = z
  .string()
  .max(200, "Paths have at most 200 characters.")
  .regex(
    /^\/[A-Za-z0-9_~.-]+(\/[A-Za-z0-9_~.-]+)*$/,
    "Paths start with '/' and hold plain segments, such as '/autofill'.",
  )
  .refine(
    (value) => !value.split("/").some((part) => part === ".." || part === "."),
    "Paths have no '.' or '..' segment.",
  )
  .refine(
    (value) => value !== "/health" && !value.startsWith("/_app"),
    "'/health' and '/_app/' belong to the platform.",
  )
  .meta({
    description: "Where the container answers, such as /autofill. Each path belongs to one route.",
    not: { pattern: "^/health$|^/_app|/\\.{1,2}(/|$)" },
  });

const pattern = z
  .string()
  .max(100, atMost(100))
  .regex(
    /^[A-Za-z0-9_*-]+(\.[A-Za-z0-9_*-]+)*$/,
    "Use dotted names such as 'policy.issued'; '*' stands for any one part.",
  );

const patterns = z.array(pattern).min(1, "Name at least one.").max(100, "At most 100.");

export const settingValue = z.looseObject({
  text: z
    .string()
    .min(1, "Write the text that the dropdown shows.")
    .max(MANIFEST_LIMITS.text, atMost(MANIFEST_LIMITS.text))
    .meta({ description: "What the dropdown shows." }),
  value: z
    .string()
    .max(MANIFEST_LIMITS.text, atMost(MANIFEST_LIMITS.text))
    .meta({ description: "What the app gets." }),
});

export const setting = z
  .looseObject({
    name: fieldName.meta({ description: "What the app reads the setting by. Renamed means new." }),
    title: shownText.meta({ description: "What the customer reads above the field." }),
    type: z
      .enum(SETTING_TYPES, "Type is 'Select', 'Text' or 'Password'.")
      .meta({ description: "A dropdown, a line of text, or a secret." }),
    hint: hintText.optional(),
    required: required.optional(),
    sensitive: z
      .boolean()
      .optional()
      .meta({ description: "Can be entered but never read back, as a Password always is." }),
    values: z
      .array(settingValue)
      .min(1, "A Select offers at least one value.")
      .max(MANIFEST_LIMITS.values, `A Select offers at most ${MANIFEST_LIMITS.values} values.`)
      .optional()
      .meta({ description: "What a Select offers. No other type has values." }),
  })
  .meta({
    description: "A setting: what a customer fills in when it configures the app.",
    if: { properties: { type: { const: "Select" } }, required: ["type"] },
    then: { required: ["values"] },
    else: { not: { required: ["values"] } },
  });
export type Setting = z.infer<typeof setting>;

export const mappingField = z
  .looseObject({
    name: fieldName.meta({ description: "What the app reads the mapping by." }),
    title: shownText.meta({ description: "What the customer reads above the field." }),
    hint: hintText.optional(),
    required: required.optional(),
  })
  .meta({ description: "What a customer maps to a field of each of its products." });
export type MappingField = z.infer<typeof mappingField>;

const settings = z
  .array(setting)
  .max(MANIFEST_LIMITS.settings, `An app has at most ${MANIFEST_LIMITS.settings} settings.`)
  .meta({ description: "The settings, in the order in which the customer sees them." });

const mappingFields = z
  .array(mappingField)
  .max(MANIFEST_LIMITS.settings, `An app has at most ${MANIFEST_LIMITS.settings} mapping fields.`)
  .meta({ description: "What a customer maps to fields of its products." });

const routes = <Shape extends z.core.$ZodLooseShape>(description: string, members: Shape) =>
  z
    .array(z.looseObject({ path, ...members }))
    .max(50, "At most 50 of a kind.")
    .optional()
    .meta({ description });

const core = z
  .looseObject({
    fields: mappingFields.optional(),
    webhooks: routes("Which events of the core are posted to which path.", {
      events: patterns.meta({ description: "Of which events, such as policy.issued." }),
    }),
    autofill: routes("Which operations of the core ask which path to fill in fields.", {
      operations: patterns.meta({ description: "In which operations, such as newBusiness.*." }),
    }),
    externalRaters: routes("Raters that the core can ask for a price.", {
      name: shownText.meta({ description: "What people read." }),
    }),
    lifecycle: z
      .array(z.enum(LIFECYCLE_EVENTS, "Lifecycle events are 'install', 'uninstall', 'start' and 'stop'."))
      .max(20, "At most 20.")
      .optional()
      .meta({ description: "The hooks that the container answers at /_app/<event>." }),
  })
  .meta({ description: "What the app does for the core policy-administration system." });

export const manifest = z.looseObject({
  $schema: z.string().optional().meta({ description: "Where editors find the schema of this file." }),
  name: z
    .string()
    .max(81, atMost(81))
    .meta({ description: "<org-name>/<app-name>, such as acme/vin-lookup." }),
  version: z
    .string()
    .max(40, atMost(40))
    .meta({ description: "Three numbers, such as 1.4.0. Publishing raises the second one." }),
  app: z.looseObject({ fields: settings }).meta({ description: "What the customer configures." }),
  core: core.optional(),
});
export type Manifest = z.infer<typeof manifest>;

/** Sensitive values can be entered but never read back: `Password`, or `sensitive: true`. */
export function isSensitive(declared: Pick<Setting, "type" | "sensitive">): boolean {
  return declared.type === "Password" || declared.sensitive === true;
}
