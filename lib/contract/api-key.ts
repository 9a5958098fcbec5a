/** What an API key may do at the gateway. Any key may ask who it is. */
export const API_KEY_SCOPES = ["publish", "manifest:read", "manifest:write"] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];
