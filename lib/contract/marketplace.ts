/** What an app can connect to, with the names that people read. */
export const CONNECTION_NAMES = {
  webhooks: "Webhooks",
  autofill: "Autofill",
  raters: "External raters",
  endpoints: "Endpoints",
} as const;
export type Connection = keyof typeof CONNECTION_NAMES;
