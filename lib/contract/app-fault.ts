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
  /** Any status but 2xx. */
  "app-response-status",
  "app-response-not-json",
  /** JSON, but not an answer as documented: see `app-answer.ts`. */
  "app-response-invalid",
] as const;
export type AppFault = (typeof APP_FAULTS)[number];
