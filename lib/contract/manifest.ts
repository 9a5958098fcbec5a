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

export const LIFECYCLE_EVENTS = ["install", "uninstall", "start", "stop"] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);

const fieldName = z
  .string()
  .max(MANIFEST_LIMITS.name, `Names have at most ${MANIFEST_LIMITS.name} characters.`)
  .regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, "Names start with a letter and hold letters, digits, '_', '.' and '-'.")
  .refine((name) => !FORBIDDEN_NAMES.has(name), "This name is reserved by JavaScript; choose another.");

const shownText = z
  .string()
  .trim()
  .min(1, "Write what the customer should read.")
  .max(MANIFEST_LIMITS.text, `At most ${MANIFEST_LIMITS.text} characters.`);

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
  );

const pattern = z
  .string()
  .max(100)
  .regex(
    /^[A-Za-z0-9_*-]+(\.[A-Za-z0-9_*-]+)*$/,
    "Use dotted names such as 'policy.issued'; '*' stands for any one part.",
  );

export const settingValue = z.looseObject({
  text: z.string().min(1, "Write the text that the dropdown shows.").max(MANIFEST_LIMITS.text),
  value: z.string().max(MANIFEST_LIMITS.text),
});

export const setting = z.looseObject({
  name: fieldName,
  title: shownText,
  type: z.enum(SETTING_TYPES, "Type is 'Select', 'Text' or 'Password'."),
  hint: z.string().max(MANIFEST_LIMITS.text).optional(),
  required: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  values: z
    .array(settingValue)
    .min(1, "A Select offers at least one value.")
    .max(MANIFEST_LIMITS.values, `A Select offers at most ${MANIFEST_LIMITS.values} values.`)
    .optional(),
});
export type Setting = z.infer<typeof setting>;

export const mappingField = z.looseObject({
  name: fieldName,
  title: shownText,
  hint: z.string().max(MANIFEST_LIMITS.text).optional(),
  required: z.boolean().optional(),
});
export type MappingField = z.infer<typeof mappingField>;

export const manifest = z.looseObject({
  name: z.string().max(81),
  version: z.string().max(40),
  app: z.looseObject({
    fields: z
      .array(setting)
      .max(MANIFEST_LIMITS.settings, `An app has at most ${MANIFEST_LIMITS.settings} settings.`),
  }),
  core: z
    .looseObject({
      fields: z.array(mappingField).max(MANIFEST_LIMITS.settings).optional(),
      webhooks: z
        .array(z.looseObject({ path, events: z.array(pattern).min(1).max(100) }))
        .max(50)
        .optional(),
      autofill: z
        .array(z.looseObject({ path, operations: z.array(pattern).min(1).max(100) }))
        .max(50)
        .optional(),
      externalRaters: z
        .array(z.looseObject({ name: shownText, path }))
        .max(50)
        .optional(),
      lifecycle: z
        .array(z.enum(LIFECYCLE_EVENTS, "Lifecycle events are 'install', 'uninstall', 'start' and 'stop'."))
        .max(20)
        .optional(),
    })
    .optional(),
});
export type Manifest = z.infer<typeof manifest>;

/** Sensitive values can be entered but never read back: `Password`, or `sensitive: true`. */
export function isSensitive(declared: Pick<Setting, "type" | "sensitive">): boolean {
  return declared.type === "Password" || declared.sensitive === true;
}
