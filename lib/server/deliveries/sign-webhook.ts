import { createHmac } from "node:crypto";
import { deriveKey, type Keyring } from "../platform/keyring";

/**
 * Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`, with a secret for each installation.
 * The id stays the same over all tries and all routes of an event, so that an app can tell a repetition.
 * One signature for each master key, the current one first: a receiver accepts any that fits, and so outlives a rotation.
 */
export function signWebhook(
  keyring: Keyring,
  installationId: string,
  id: string,
  body: string,
  now: Date,
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000).toString();
  const signatures = [...keyring.byId.values()].map((master) => {
    const secret = deriveKey(master, `webhook/${installationId}`);
    return `v1,${createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
