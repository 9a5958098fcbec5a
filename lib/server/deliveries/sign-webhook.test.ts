import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { deriveKey, newMasterKey, readKeyring } from "../platform/keyring";
import { signWebhook } from "./send-due-deliveries";

const [OLD, NEW] = [newMasterKey("old"), newMasterKey("new")];

/** Verifies like a receiver with the secret of one master key: any matching signature will do. */
function accepts(key: string, headers: Record<string, string>, body: string): boolean {
  const secret = deriveKey(readKeyring(key).current, "webhook/i1");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const expected = `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`;
  return (headers["webhook-signature"] ?? "").split(" ").includes(expected);
}

// Guarantee: during a rotation, receivers with a secret of any master key accept the webhook.
test("a webhook is signed for each master key", () => {
  const sign = (keys: string) => signWebhook(readKeyring(keys), "i1", "e1", "{}", new Date());
  for (const keys of [`${OLD},${NEW}`, `${NEW},${OLD}`]) {
    expect(accepts(OLD, sign(keys), "{}")).toBe(true);
    expect(accepts(NEW, sign(keys), "{}")).toBe(true);
    expect(accepts(NEW, sign(keys), "{ }")).toBe(false);
    expect(accepts(newMasterKey("old"), sign(keys), "{}")).toBe(false);
  }
  expect(accepts(OLD, sign(NEW), "{}")).toBe(false);
});
