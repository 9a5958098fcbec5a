/** Tokens for the core's API: JWTs (EdDSA) that verify against `/.well-known/jwks.json`. */
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { v7 } from "uuid";
import type { Platform } from "../platform/platform";
import { deriveKey, seal, unseal, type Keyring, type MasterKey } from "../platform/keyring";
import { insertFirstSigningKey, selectSigningKeys, type SigningKeyRow } from "./queries";

/** Seconds that a token lives. */
export const TOKEN_SECONDS = 15 * 60;
/** How long a process trusts what it read of the signing keys; a rotated-in key is published at least this long before use. */
const CACHE_MS = 60_000;

/** What each of them is for is in docs/tokens.md. */
export interface TokenClaims {
  /** Address of the tenant's core, `aud`. */
  audience: string;
  /** Slug of the organization that the token speaks for, `org`: anybody may write another's address, nobody another's slug. */
  organization: string;
  /** Host name of the organization's tenant, `tenant`. */
  tenant: string;
  /** The installation, or `tenant:<id>` where the platform itself asks, `sub`. */
  subject: string;
  /** The attempt, `jti`. */
  tokenId: string;
}

interface Signer {
  header: string;
  key: KeyObject;
  issuer: string;
  jwks: { keys: Record<string, string>[] };
  readAt: number;
}

const signers = new WeakMap<Platform, Promise<Signer>>();

/** A compact JWS. Written out here because it is on the state API's hot path: one synchronous signature, no promise a step. */
export async function signToken(platform: Platform, claims: TokenClaims): Promise<string> {
  const { header, key, issuer } = await signerOf(platform);
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
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

export async function readJwks(platform: Platform): Promise<{ keys: Record<string, string>[] }> {
  return (await signerOf(platform)).jwks;
}

async function signerOf(platform: Platform): Promise<Signer> {
  const known = await signers.get(platform)?.catch(() => undefined);
  if (known !== undefined && Date.now() - known.readAt < CACHE_MS) return known;
  const reading = loadSigner(platform);
  signers.set(platform, reading);
  return reading;
}

async function loadSigner(platform: Platform): Promise<Signer> {
  let rows = await selectSigningKeys(platform.db);
  if (rows.length === 0) {
    await createFirstSigningKey(platform);
    rows = await selectSigningKeys(platform.db);
  }
  const [current] = rows;
  if (current === undefined) throw new Error("no signing key could be made");
  const der = openSigningKey(platform.keyring, current);
  return {
    header: base64url({ alg: "EdDSA", typ: "JWT", kid: current.id }),
    key: createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
    issuer: platform.environment.PLATFORM_GATEWAY_URL,
    jwks: { keys: rows.map((row) => row.publicJwk) },
    readAt: Date.now(),
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
    ...sealSigningKey(platform.keyring.current, der, id),
  });
}

type WrappedSigningKey = Pick<SigningKeyRow, "wrapped" | "masterKeyId">;

/** The same private key, sealed by the current master key: tokens and the JWKS stay as they are. Throws as signing does. */
export function rewrapSigningKey(keyring: Keyring, row: SigningKeyRow): WrappedSigningKey {
  return sealSigningKey(keyring.current, openSigningKey(keyring, row), row.id);
}

function sealSigningKey(master: MasterKey, der: Buffer, id: string): WrappedSigningKey {
  const wrapped = seal(deriveKey(master, "signing-key"), der, id).toString("base64url");
  return { wrapped, masterKeyId: master.id };
}

function openSigningKey(keyring: Keyring, row: SigningKeyRow): Buffer {
  const master = keyring.byId.get(row.masterKeyId);
  if (master === undefined)
    throw new Error(`PLATFORM_MASTER_KEYS lacks the key '${row.masterKeyId}' that wraps a signing key`);
  return unseal(deriveKey(master, "signing-key"), Buffer.from(row.wrapped, "base64url"), row.id);
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
