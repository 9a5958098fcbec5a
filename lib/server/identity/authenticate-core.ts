import { createHash } from "node:crypto";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import { type KnownCredential, selectCredential } from "./core-credential-queries";
import { noteCredentialUse } from "./note-credential-use";

/** The tenant whose core sent the request with `Authorization: Bearer <core credential>`. Throws WRONG_CREDENTIALS. */
export async function authenticateCore(
  platform: Platform,
  authorization: string | undefined,
): Promise<KnownCredential> {
  const hash = hashCredential(authorization);
  const known = hash === undefined ? undefined : await selectCredential(platform.pool, hash);
  if (known === undefined) throw wrongCredentials();
  noteCredentialUse(platform, known.credentialId);
  return known;
}

/** SHA-256 (hex) of the credential in an `Authorization` header; undefined if there is none. */
export function hashCredential(authorization: string | undefined): string | undefined {
  const credential = /^Bearer ([\w-]{20,200})$/i.exec(authorization ?? "")?.[1];
  return credential === undefined ? undefined : createHash("sha256").update(credential).digest("hex");
}

/** Unknown, revoked and expired credentials look the same. */
export function wrongCredentials(): Problem {
  return new Problem(
    "WRONG_CREDENTIALS",
    "Send a core credential of the tenant as 'Authorization: Bearer …'. If it was revoked or has expired, an owner can create another one on the tenant's page.",
  );
}
