import { createHash, randomBytes } from "node:crypto";

/** With it a tenant's core signs in to the gateway: shown once, and only its hash is kept. */
export function newCoreCredential(): { coreCredential: string; coreCredentialHash: string } {
  const coreCredential = `pcc_${randomBytes(32).toString("base64url")}`;
  return { coreCredential, coreCredentialHash: createHash("sha256").update(coreCredential).digest("hex") };
}
