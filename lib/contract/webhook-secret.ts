import * as z from "zod";

/** An installation's webhook secrets, as `GET /state/<key>/webhook-secrets` returns them to the app. */
export const webhookSecrets = z.object({
  /** `whsec_` and 32 bytes in base64, as Standard Webhooks libraries take it. The current one first; any may have signed. */
  secrets: z.array(z.string()).min(1),
});
export type WebhookSecrets = z.infer<typeof webhookSecrets>;

/** What a page gets without the secrets: when each was created, and when it stops signing (ISO 8601). */
export interface WebhookSecretView {
  createdAt: string;
  /** Null for the current one. */
  expiresAt: string | null;
}

/** What an installation's organization gets when it reveals the secrets. */
export const revealedSecrets = z.object({
  secrets: z.array(z.object({ secret: z.string(), createdAt: z.string(), expiresAt: z.string().nullable() })),
});
export type RevealedSecrets = z.infer<typeof revealedSecrets>;
