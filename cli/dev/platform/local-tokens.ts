/** Tokens for the local core, with the platform's claims: see docs/tokens.md. The key is new at each start. */
import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { z } from "zod";
import { parseJson } from "@/lib/contract/parse-json";

const TOKEN_SECONDS = 15 * 60;

interface Claims {
  audience: string;
  organization: string;
  tenant: string;
  subject: string;
  tokenId: string;
}

export interface LocalTokens {
  sign(claims: Claims): string;
  /** Undefined if the token is not ours, or has expired. */
  open(token: string): { aud: string; tenant: string } | undefined;
  jwks: { keys: Record<string, string>[] };
}

const payload = z.object({ aud: z.string(), tenant: z.string(), exp: z.number() });

export function createTokens(issuer: string): LocalTokens {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const kid = randomUUID();
  const { kty = "OKP", crv = "Ed25519", x = "" } = publicKey.export({ format: "jwk" });
  const header = base64url({ alg: "EdDSA", typ: "JWT", kid });
  return {
    jwks: { keys: [{ kty, crv, x, kid, use: "sig", alg: "EdDSA" }] },
    sign: ({ audience: aud, organization: org, tenant, subject: sub, tokenId: jti }) => {
      const iat = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud, org, tenant, sub, jti, iat, exp: iat + TOKEN_SECONDS };
      const signed = `${header}.${base64url(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString("base64url")}`;
    },
    open: (token) => {
      const [head = "", body = "", signature = "", ...rest] = token.split(".");
      if (head !== header || rest.length > 0) return undefined;
      if (!verify(null, Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, "base64url")))
        return undefined;
      const claims = payload.parse(parseJson(Buffer.from(body, "base64url").toString()));
      return claims.exp * 1000 > Date.now() ? claims : undefined;
    },
  };
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
