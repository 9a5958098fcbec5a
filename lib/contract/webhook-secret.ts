import * as z from "zod";

/** An installation's webhook secrets, as `GET /state/<key>/webhook-secrets` returns them to the app. */
export const webhookSecrets = z.object({
  /** `whsec_` and 32 bytes in base64, as Standard Webhooks libraries take it. The current one first; any may have signed. */
  secrets: z.array(z.string()).min(1),
});
export type WebhookSecrets = z.infer<typeof webhookSecrets>;

const times = z.object({
  /** ISO 8601. */
  createdAt: z.string(),
  /** When it stops signing (ISO 8601); null for the current one. */
  expiresAt: z.string().nullable(),
});

/** What a page gets without the secrets themselves, the current one first. */
export const listedSecrets = z.object({ secrets: z.array(times) });
export type WebhookSecretView = z.infer<typeof times>;

/** What an installation's organization gets when it reveals the secrets. */
export const revealedSecrets = z.object({ secrets: z.array(times.extend({ secret: z.string() })) });
export type RevealedSecrets = z.infer<typeof revealedSecrets>;
