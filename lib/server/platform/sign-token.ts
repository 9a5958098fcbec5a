/** Tokens for the core's API: JWTs (EdDSA) that verify against `/.well-known/jwks.json`. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign as signWith } from "node:crypto";
import { promisify } from "node:util";
import { v7 } from "uuid";
import { insertFirstSigningKey, selectSigningKeys } from "./key-queries";
import { unwrapKey, wrapKey } from "./keyring";
import type { Foundation } from "./platform";

/** Lifetime of a token. */
export const TOKEN_SECONDS = 15 * 60;
/** Tokens are valid from a moment ago, because the clock of the core that verifies one may be behind. */
const BACKDATED_SECONDS = 30;
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
  /** The permissions of the call, with spaces between them. Left out if null. */
  scope?: string | null;
  /** `refused_hosts`: optional hosts that the customer refused to the app. Left out if there are none. */
  refusedHosts?: readonly string[] | null;
}

interface Signer {
  header: string;
  key: KeyObject;
  issuer: string;
  jwks: { keys: Record<string, string>[] };
}

export interface Tokens {
  /** A compact JWS. Written by hand because the state API calls it for each read. */
  sign: (claims: TokenClaims) => Promise<string>;
  /** The public keys. */
  readJwks: () => Promise<Signer["jwks"]>;
}

declare module "./platform" {
  interface Services {
    tokens: Tokens;
  }
}

/** On libuv's threads: a signature takes longer than the rest of a state read, and other reads continue in the meantime. */
const signAside = promisify<null, Buffer, KeyObject, Buffer>(signWith);

export function createTokens(foundation: Foundation): Tokens {
  let reading: { signer: Promise<Signer>; readAt: number } | undefined;

  function currentSigner(): Promise<Signer> {
    if (reading !== undefined && Date.now() - reading.readAt < CACHE_MS) return reading.signer;
    const begun = { signer: loadSigner(foundation), readAt: Date.now() };
    reading = begun;
    begun.signer.catch(() => {
      if (reading === begun) reading = undefined;
    });
    return begun.signer;
  }

  return {
    sign: async (claims) => sign(await currentSigner(), claims),
    readJwks: async () => (await currentSigner()).jwks,
  };
}

async function sign({ header, key, issuer }: Signer, claims: TokenClaims): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    iss: issuer,
    aud: claims.audience,
    org: claims.organization,
    tenant: claims.tenant,
    sub: claims.subject,
    jti: claims.tokenId,
    scope: claims.scope ?? undefined,
    refused_hosts: claims.refusedHosts ?? undefined,
    iat: now - BACKDATED_SECONDS,
    nbf: now - BACKDATED_SECONDS,
    exp: now + TOKEN_SECONDS,
  };
  const signed = `${header}.${base64url(payload)}`;
  const signature = await signAside(null, Buffer.from(signed), key);
  return `${signed}.${signature.toString("base64url")}`;
}

async function loadSigner(foundation: Foundation): Promise<Signer> {
  const { db, keyring, environment } = foundation;
  let rows = await selectSigningKeys(db);
  if (rows.length === 0) {
    await createFirstSigningKey(foundation);
    rows = await selectSigningKeys(db);
  }
  const [current] = rows;
  if (current === undefined) throw new Error("the signing key was not stored");
  const der = unwrapKey(keyring, "signing-key", current.id, current);
  return {
    header: base64url({ alg: "EdDSA", typ: "JWT", kid: current.id }),
    key: createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
    issuer: environment.PLATFORM_GATEWAY_URL,
    jwks: { keys: rows.map((row) => row.publicJwk) },
  };
}

async function createFirstSigningKey({ db, keyring }: Foundation): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const id = v7();
  const der = privateKey.export({ format: "der", type: "pkcs8" });
  const { kty = "OKP", crv = "Ed25519", x = "" } = publicKey.export({ format: "jwk" });
  await insertFirstSigningKey(db, {
    id,
    publicJwk: { kty, crv, x, kid: id, use: "sig", alg: "EdDSA" },
    ...wrapKey(keyring.current, "signing-key", id, der),
  });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
