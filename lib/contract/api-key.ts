import * as z from "zod";
import { API_KEY_SCOPES, KEY_LIFETIMES } from "./api-key-scope";
import { rotateInput } from "./overlap";
import { atMost, shownText } from "./shown-text";

const days = z.literal(KEY_LIFETIMES, "Choose when the key expires.");

export const apiKeyInput = z.strictObject({
  name: shownText.min(1, "Enter a name.").max(100, atMost(100)),
  scopes: z
    .array(z.enum(API_KEY_SCOPES))
    .min(1, "Choose what the key may do.")
    .transform((scopes) => API_KEY_SCOPES.filter((scope) => scopes.includes(scope))),
  days,
});
export type ApiKeyInput = z.infer<typeof apiKeyInput>;

/** `overlap`: how long the old key keeps working. */
export const rotateApiKeyInput = rotateInput.extend({ days });
export type RotateApiKeyInput = z.infer<typeof rotateApiKeyInput>;

/** The one answer that carries the key itself. */
export const createdApiKey = z.object({ name: z.string(), clientId: z.string(), apiKey: z.string() });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
