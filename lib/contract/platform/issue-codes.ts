/** The codes of issues, grouped by who finds them. They are stable, and each has an entry in the documentation. */

/** In a manifest's text, by the validator. The editor, the command line and the platform report the same. */
export const MANIFEST_CODES = [
  "BROKEN_JSON",
  "TOO_LARGE",
  "TOO_DEEP",
  "BYTE_ORDER_MARK",
  "DUPLICATE_KEY",
  "RESERVED_KEY",
  "BAD_CHARACTER",
  "MISSING",
  "WRONG_TYPE",
  "WRONG_VALUE",
  "WRONG_SHAPE",
  "TOO_LONG",
  "TOO_SHORT",
  "BAD_FORMAT",
  "RESERVED",
  "BAD_NAME",
  "BAD_VERSION",
  "DUPLICATE_NAME",
  "DUPLICATE_VALUE",
  "DUPLICATE_PATH",
  "DUPLICATE_METHOD",
  "DUPLICATE_EVENT",
  "DUPLICATE_HOST",
  "BAD_HOST",
  "UNKNOWN_SETTING",
  "UNKNOWN_PERMISSION",
  "UNDECLARED_HOSTS",
  "REQUIRED_HOST",
  "VALUES_MISSING",
  "VALUES_NOT_ALLOWED",
  "PATH_COLLISION",
  "LOOKS_SECRET",
  "NOTHING_TO_CHECK",
  "UNKNOWN_KEY",
  "MISPLACED_KEY",
  "BIDI_CONTROL",
  "NO_SETTINGS",
] as const;
export type ManifestCode = (typeof MANIFEST_CODES)[number];

/** In an uploaded image or archive. */
export const BUNDLE_CODES = [
  "ARCHIVE_BROKEN",
  "NOT_AN_IMAGE",
  "SEVERAL_IMAGES",
  "INDEX_DISAGREES",
  "WRONG_ARCHITECTURE",
  "WRONG_DIGEST",
  "BLOB_MISSING",
  "UNSAFE_PATH",
  "LAYER_BROKEN",
  "WINDOW_TOO_LARGE",
  "TOO_EXPENSIVE",
  "TOO_MANY_LAYERS",
  "TOO_MANY_ENTRIES",
  "TOO_MANY_REFERENCES",
  "LAYERS_TOO_LARGE",
  "DECOMPRESSION_BOMB",
  "MANIFEST_MISSING",
  "MANIFEST_NOT_A_FILE",
  "MANIFEST_TWICE",
  "MANIFEST_TOO_LARGE",
  "MANIFEST_NOT_UTF8",
] as const;
export type BundleCode = (typeof BUNDLE_CODES)[number];

/** Between a version and what is already published. */
export const VERSION_CODES = [
  "WRONG_NAME",
  "VERSION_DIFFERS",
  "VERSION_TOO_LOW",
  "NEEDS_IMAGE",
  "NO_SUCH_VERSION",
] as const;

/** In what a customer enters for an installation. */
export const CONFIGURATION_CODES = [
  "setting-required",
  "setting-not-offered",
  "setting-too-long",
  "setting-nul",
  "setting-broken-text",
  "setting-ask-again",
  "setting-new-value",
  "setting-lost",
  "setting-nothing-to-keep",
  "setting-unknown",
  "mapping-required",
  "mapping-characters",
  "mapping-not-in-schema",
  "mapping-field-unknown",
  "mapping-product-unknown",
  "tenant-required",
  "rights-agree",
  "terms-accept",
  "configuration-check",
] as const;
export type ConfigurationCode = (typeof CONFIGURATION_CODES)[number];

/** In the payload of a test call. They are warnings: the call can be sent. */
export const PAYLOAD_CODES = [
  "NO_TYPE",
  "OTHER_TYPE",
  "NOT_AS_DOCUMENTED",
  "OTHER_OPERATION",
  "REDACTED",
] as const;

/** In the fields of a form or of a request's body: first what a shape refuses, then what only the server knows. */
export const INPUT_CODES = [
  "invalid_type",
  "invalid_value",
  "invalid_format",
  "too_big",
  "too_small",
  "not_multiple_of",
  "unrecognized_keys",
  "invalid_union",
  "invalid_key",
  "invalid_element",
  "custom",
  "missing",
  "taken",
  "wrong",
  "weak",
  "too-many",
  "not-there",
  "core-address",
  "credential-ask-again",
] as const;

export type IssueCode =
  | ManifestCode
  | BundleCode
  | (typeof VERSION_CODES)[number]
  | ConfigurationCode
  | (typeof PAYLOAD_CODES)[number]
  | (typeof INPUT_CODES)[number]
  | AppFault;

/** Why a call to an app failed, for machines. These codes are stable: the core gets them in the issues of `APP_FAILED`. */
export const APP_FAULTS = [
  /** No instance is ready. */
  "app-not-running",
  "app-connection-refused",
  "app-unreachable",
  "app-timed-out",
  /** Not valid HTTP. */
  "app-response-malformed",
  /** The connection ended before the answer was complete. */
  "app-response-incomplete",
  "app-response-headers-too-large",
  "app-response-too-large",
  /** Compressed, although the request asks for no compression. */
  "app-response-compressed",
  /** Not valid UTF-8, so it could not be passed on unchanged. */
  "app-response-not-utf8",
  /** Any status but 2xx. */
  "app-response-status",
  "app-response-not-json",
  /** JSON, but not an answer as documented: see `app-answer.ts`. */
  "app-response-invalid",
  /** The platform's fault, not the app's: it failed while nobody served it its state. */
  "state-api-away",
] as const;
export type AppFault = (typeof APP_FAULTS)[number];
