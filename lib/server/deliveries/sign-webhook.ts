import { createHmac } from "node:crypto";
import { deriveKey, type Keyring } from "../keys/keyring";

/**
 * Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`, with a secret for each installation.
 * The id stays the same over all tries and all routes of an event, so that an app can tell a repetition.
 */
export function signWebhook(
  keyring: Keyring,
  installationId: string,
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const secret = deriveKey(keyring.current, `webhook/${installationId}`);
  const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
