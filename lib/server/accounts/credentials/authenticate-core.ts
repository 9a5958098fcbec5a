import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Problem } from "@/lib/contract/platform/problem";
import { createUseNotes, type UseNotes } from "../../platform/note-uses";
import type { Foundation, Platform } from "../../platform/platform";
import { type KnownCredential, selectCredential, touchCredentials } from "./core-credential-queries";

/** The tenant whose core sent the request with `Authorization: Bearer <core credential>`. Throws WRONG_CREDENTIALS. */
export async function authenticateCore(
  platform: Platform,
  authorization: string | undefined,
): Promise<KnownCredential> {
  const hash = hashCredential(authorization);
  const known = hash === undefined ? undefined : await selectCredential(platform.pool, hash);
  if (known === undefined) throw wrongCredentials();
  platform.services.cores.uses.note(known.credentialId, true);
  return known;
}

export interface RecognizedCore extends KnownCredential {
  /** SHA-256 (hex) of the credential, for the caller's statement. */
  hash: string;
}

/** What a process remembers of cores. */
interface Cores {
  /** By the hashes of their credentials. */
  recognized: LRUCache<string, RecognizedCore>;
  uses: UseNotes<true>;
}

declare module "../../platform/platform" {
  interface Services {
    cores: Cores;
  }
}

const RECOGNIZED_MS = 60_000;

export function createCores(foundation: Foundation): Cores {
  return {
    recognized: new LRUCache({ max: 10_000, ttl: RECOGNIZED_MS }),
    uses: createUseNotes(foundation, "core credentials", (pool, notes) =>
      touchCredentials(pool, [...notes.keys()]),
    ),
  };
}

/**
 * The same, also for a credential that was revoked within the last minute: only for callers whose own statement checks that it
 * works now, with `IS_VALID_CREDENTIAL`. It refuses strangers before anything of them is read, usually without a query.
 */
export async function recognizeCore(
  platform: Platform,
  authorization: string | undefined,
): Promise<RecognizedCore> {
  const { recognized } = platform.services.cores;
  const hash = hashCredential(authorization);
  if (hash === undefined) throw wrongCredentials();
  const cached = recognized.get(hash);
  if (cached !== undefined) return cached;
  const known = await selectCredential(platform.pool, hash);
  if (known === undefined) throw wrongCredentials();
  const core = { ...known, hash };
  recognized.set(hash, core);
  return core;
}

/** SHA-256 (hex) of the credential in an `Authorization` header; undefined if there is none. */
function hashCredential(authorization: string | undefined): string | undefined {
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
