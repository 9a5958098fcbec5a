/** What the manifest's shape is made of, and what it means. Apart from the shape, because zod is larger than most pages. */
export const MANIFEST_LIMITS = {
  bytes: 1024 * 1024,
  depth: 32,
  settings: 100,
  values: 200,
  /** Permissions, and hosts. */
  rights: 100,
  name: 64,
  text: 1000,
} as const;

export const SETTING_TYPES = ["Select", "Text", "Password"] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

export const MAPPING_FORMATS = ["jsonpath", "text"] as const;
export type MappingFormat = (typeof MAPPING_FORMATS)[number];

export const LIFECYCLE_EVENTS = ["install", "uninstall", "start", "stop"] as const;
export type LifecycleEvent = (typeof LIFECYCLE_EVENTS)[number];

/** The methods that an endpoint can declare. HEAD is allowed wherever GET is. */
export const ENDPOINT_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** `core`: callers need the tenant's core credential. `public`: anyone, once the customer has opened the endpoint. */
export const ENDPOINT_ACCESS = ["core", "public"] as const;
export type EndpointAccess = (typeof ENDPOINT_ACCESS)[number];

/** The rights that cores commonly have. Others are allowed, with a warning. A platform's operator can add some: `PLATFORM_PERMISSIONS`. */
export const PERMISSIONS = [
  "policies:read",
  "policies:write",
  "quotes:read",
  "quotes:write",
  "claims:read",
  "claims:write",
  "customers:read",
  "customers:write",
  "documents:read",
  "documents:write",
  "invoices:read",
  "invoices:write",
  "payments:read",
  "payments:write",
  "products:read",
  "users:read",
] as const;

/** A resource, a colon, and an action. */
export const PERMISSION_NAME = /^[a-z][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)*:[a-z][A-Za-z0-9-]*$/;

/** Of hosts without a list of their own. */
export const DEFAULT_PORTS: readonly number[] = [443];

/** Names with a special meaning on JavaScript objects. */
export const FORBIDDEN_NAMES: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Customers enter a JSONPath into the product's data, unless the app expects text of its own form. */
export function isPathField({ format }: { format?: MappingFormat }): boolean {
  return format !== "text";
}

/** Empty for an app without settings, which may leave out `app` or `app.fields`. */
export function listSettings<Setting>(manifest: { app?: { fields?: Setting[] } } | undefined): Setting[] {
  return manifest?.app?.fields ?? [];
}

/** The app checks answers before they are saved, if the customer asks for it. */
export function checksConfiguration(manifest: { core?: { configurationCheck?: boolean } }): boolean {
  return manifest.core?.configurationCheck === true;
}

/** Sensitive values can be entered but never read back: `Password`, or `sensitive: true`. */
export function isSensitive(declared: { type: SettingType; sensitive?: boolean }): boolean {
  return declared.type === "Password" || declared.sensitive === true;
}

/** The manifest's file name, at the root of the image. Here, so that the command line starts without the validators of names. */
export const MANIFEST_FILE = "platform-app.json";
