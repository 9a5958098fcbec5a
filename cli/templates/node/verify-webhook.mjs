import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;

// region secrets
/** Reads the secrets that sign this customer's webhooks: the current one, then those that a rotation replaced. */
export async function readWebhookSecrets(key) {
  const stateApi = process.env.PLATFORM_STATE_API.replace(/\/$/, "");
  const response = await fetch(`${stateApi}/state/${encodeURIComponent(key)}/webhook-secrets`, {
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Error(`The state API returned ${response.status}.`);
  return (await response.json()).secrets;
}
// endregion secrets

// region signature
/**
 * Returns whether the webhook was signed with one of the secrets within the last five minutes.
 * @param headers of the request, with names in lowercase
 * @param body exactly as it was received
 */
export function isSigned(headers, body, secrets) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const received = signatures
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice(3), "base64"));
  return secrets.some((secret) => {
    const expected = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
      .update(`${id}.${timestamp}.`)
      .update(body)
      .digest();
    return received.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  });
}
// endregion signature
