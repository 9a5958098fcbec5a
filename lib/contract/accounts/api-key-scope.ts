/** What an API key may do at the gateway. Any key may ask who it is. */
export const API_KEY_SCOPES = [
  "listings:create",
  "publish",
  "manifest:read",
  "manifest:write",
  "reviews:submit",
  "logs:read",
  "calls:read",
  "calls:replay",
] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** What a key from before there were scopes may do. */
export const FIRST_SCOPES = ["publish", "manifest:read", "manifest:write"] as const satisfies ApiKeyScope[];

/**
 * What a new key may do unless its creator chooses more: what the start guide uses. Changing drafts, reading payloads and sending calls again
 * are for those who need them.
 */
export const SUGGESTED_SCOPES = [
  "listings:create",
  "publish",
  "manifest:read",
  "reviews:submit",
  "logs:read",
] as const satisfies ApiKeyScope[];

export const SCOPE_TEXTS: Record<ApiKeyScope, string> = {
  "listings:create": "Create listings as drafts",
  publish: "Publish images as versions",
  "manifest:read": "Read the manifest of an app's draft",
  "manifest:write": "Change the manifest of an app's draft",
  "reviews:submit": "Submit versions for review, and withdraw reviews",
  "logs:read": "Read the logs of your apps",
  "calls:read": "Read calls to your own installations of your apps, with payloads",
  "calls:replay": "Replay failed deliveries to Test Launches",
};

/** In how many days a key expires. `0`: never. */
export const KEY_LIFETIMES = [30, 90, 365, 0] as const;
export const SUGGESTED_LIFETIME = 90;
