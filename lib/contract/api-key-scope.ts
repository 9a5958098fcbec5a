/** What an API key may do at the gateway. Any key may ask who it is. */
export const API_KEY_SCOPES = ["publish", "manifest:read", "manifest:write"] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

export const SCOPE_TEXTS: Record<ApiKeyScope, string> = {
  publish: "Publish images as versions",
  "manifest:read": "Read the manifest of an app's draft",
  "manifest:write": "Change the manifest of an app's draft",
};

/** In how many days a key expires. `0`: never. */
export const KEY_LIFETIMES = [30, 90, 365, 0] as const;
export const SUGGESTED_LIFETIME = 90;
