/** Tokens for the core's API: JWTs (EdDSA) that verify against `/.well-known/jwks.json`. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { v7 } from "uuid";
import { insertFirstSigningKey, selectSigningKeys } from "./key-queries";
import { unwrapKey, wrapKey } from "./keyring";
import type { Platform } from "./platform";

/** Lifetime of a token. */
export const TOKEN_SECONDS = 15 * 60;
/** How long a process uses the signing keys it read. A new key must be published at least this long before it signs. */
const CACHE_MS = 60_000;

/** docs/guide/security.md describes each claim. */
export interface TokenClaims {
  /** `aud`: URL of the tenant's core. */
  audience: string;
  /** `org`: slug of the organization. Anyone can enter a foreign core's URL, but no one can take a foreign slug. */
  organization: string;
  /** `tenant`: host name of the tenant. */
  tenant: string;
  /** `sub`: the installation, or `tenant:<id>` for the platform's own requests. */
  subject: string;
  /** `jti`: the attempt. */
  tokenId: string;
}

interface Signer {
  header: string;
  key: KeyObject;
  issuer: string;
  jwks: { keys: Record<string, string>[] };
}

const signers = new WeakMap<Platform, { signer: Promise<Signer>; readAt: number }>();

/** On libuv's threads: a signature takes longer than the rest of a state read, and other reads continue in the meantime. */
const signAside = promisify<null, Buffer, KeyObject, Buffer>(sign);

/** A compact JWS. Written by hand because the state API calls it for each read. */
export async function signToken(platform: Platform, claims: TokenClaims): Promise<string> {
  const { header, key, issuer } = await currentSigner(platform);
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: issuer,
    aud: claims.audience,
    org: claims.organization,
    tenant: claims.tenant,
    sub: claims.subject,
    jti: claims.tokenId,
    iat: now,
    exp: now + TOKEN_SECONDS,
  };
  const signed = `${header}.${base64url(payload)}`;
  const signature = await signAside(null, Buffer.from(signed), key);
  return `${signed}.${signature.toString("base64url")}`;
}

export async function readJwks(platform: Platform): Promise<{ keys: Record<string, string>[] }> {
  return (await currentSigner(platform)).jwks;
}

function currentSigner(platform: Platform): Promise<Signer> {
  const known = signers.get(platform);
  if (known !== undefined && Date.now() - known.readAt < CACHE_MS) return known.signer;
  const signer = loadSigner(platform);
  const reading = { signer, readAt: Date.now() };
  signers.set(platform, reading);
  signer.catch(() => signers.get(platform) === reading && signers.delete(platform));
  return signer;
}

async function loadSigner(platform: Platform): Promise<Signer> {
  let rows = await selectSigningKeys(platform.db);
  if (rows.length === 0) {
    await createFirstSigningKey(platform);
    rows = await selectSigningKeys(platform.db);
  }
  const [current] = rows;
  if (current === undefined) throw new Error("the signing key was not stored");
  const der = unwrapKey(platform.keyring, "signing-key", current.id, current);
  return {
    header: base64url({ alg: "EdDSA", typ: "JWT", kid: current.id }),
    key: createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
    issuer: platform.environment.PLATFORM_GATEWAY_URL,
    jwks: { keys: rows.map((row) => row.publicJwk) },
  };
}

async function createFirstSigningKey(platform: Platform): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const id = v7();
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  const { kty = "OKP", crv = "Ed25519", x = "" } = publicKey.export({ format: "jwk" });
  await insertFirstSigningKey(platform.db, {
    id,
    publicJwk: { kty, crv, x, kid: id, use: "sig", alg: "EdDSA" },
    ...wrapKey(platform.keyring.current, "signing-key", id, der),
  });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
