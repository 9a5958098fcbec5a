import * as z from "zod";
import { atMost } from "../platform/text";
import { shownText } from "../platform/text-shapes";
import { API_KEY_SCOPES, KEY_LIFETIMES } from "./api-key-scope";

/** How long a rotated credential or secret keeps working beside the new one. */
const OVERLAPS = ["now", "1h", "24h", "7d"] as const;
export type Overlap = (typeof OVERLAPS)[number];

const SECONDS: Record<Overlap, number> = { now: 0, "1h": 3_600, "24h": 86_400, "7d": 7 * 86_400 };

export function overlapSeconds(overlap: Overlap): number {
  return SECONDS[overlap];
}

/** The body of a rotation. */
export const rotateInput = z.strictObject({ overlap: z.enum(OVERLAPS).default("24h") });

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
