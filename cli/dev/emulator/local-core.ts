/** A small core for the made-up customers, at each one's coreApiUrl. It can be made slow, or silent. */
import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import type { DevSettings } from "../contract/drills";
import { type CustomerStore, type LocalCustomer, policiesOf, productsOf } from "./customer-store";

interface CoreRequest {
  method: string;
  /** Below `/core/`, decoded. */
  parts: readonly string[];
  authorization: string | undefined;
  /** Aborted when the app has hung up. */
  gone: AbortSignal;
}

interface CoreAnswer {
  status: number;
  body: unknown;
}

export interface LocalCore {
  /** Undefined if it never answers. */
  answer(request: CoreRequest): Promise<CoreAnswer | undefined>;
  /** How many requests it got. */
  requests(): number;
}

interface CoreOptions {
  customers: CustomerStore;
  tokens: LocalTokens;
  /** URL of the emulator for the app. */
  appUrl: string;
  settings: () => DevSettings;
}

/** Where the app finds the core of a customer. */
export function coreApiUrl(appUrl: string, { tenantHostName }: LocalCustomer): string {
  return `${appUrl}/core/${tenantHostName}`;
}

export function createCore({ customers, tokens, appUrl, settings }: CoreOptions): LocalCore {
  let requests = 0;
  return {
    requests: () => requests,
    answer: async (request) => {
      requests += 1;
      const { core, coreDelayMs } = settings();
      const wait = core === "normal" ? 0 : core === "slow" ? coreDelayMs : Infinity;
      if (wait > 0 && !(await waitFor(wait, request.gone))) return undefined;
      return respond(request);
    },
  };

  function respond({ method, parts, authorization }: CoreRequest): CoreAnswer {
    const [host, collection, name, ...rest] = parts;
    const customer = customers.list().find(({ tenantHostName }) => tenantHostName === host);
    if (customer === undefined || rest.length > 0) return refusal(404, "This tenant does not exist.");
    const claims = tokens.open((authorization ?? "").replace(/^Bearer /, ""));
    if (claims?.tenant !== customer.tenantHostName || claims.aud !== coreApiUrl(appUrl, customer))
      return refusal(401, "Send the token of this call's state: Authorization: Bearer <token>.");
    const permission = collection === "policies" ? "policies:read" : undefined;
    if (permission !== undefined && claims.scope?.split(" ").includes(permission) === false)
      return refusal(
        403,
        `The token's scope lacks ${permission}. Add it to core.permissions of the manifest.`,
      );
    if (method !== "GET") return refusal(405, "This core is read-only.");
    if (collection === "products" && name === undefined)
      return { status: 200, body: { products: productsOf(customer.productSet) } };
    const policy =
      collection === "policies" ? policiesOf(customer.name, customer.productSet).get(name ?? "") : undefined;
    if (policy !== undefined) return { status: 200, body: policy };
    return refusal(404, "This core has /products and /policies/POL-1001, and nothing else.");
  }
}

function refusal(status: number, error: string): CoreAnswer {
  return { status, body: { error } };
}

/** False if the app hung up first. */
async function waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    if (ms === Infinity) await new Promise((_, reject) => signal.addEventListener("abort", reject));
    else await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

const TOKEN_SECONDS = 15 * 60;
/** As the platform does, for cores whose clock is behind. */
const BACKDATED_SECONDS = 30;

interface Claims {
  audience: string;
  organization: string;
  tenant: string;
  subject: string;
  tokenId: string;
  /** Left out if null. */
  scope: string | null;
}

export interface LocalTokens {
  sign(claims: Claims): string;
  /** Undefined if the token is not ours, or has expired. */
  open(token: string): z.infer<typeof payload> | undefined;
  jwks: { keys: Record<string, string>[] };
}

const payload = z.object({
  aud: z.string(),
  tenant: z.string(),
  exp: z.number(),
  /** Apps that list no permissions have tokens without it, which this core accepts. */
  scope: z.string().optional(),
});

/** Tokens for the local core, with the platform's claims: see docs/guide/security.md. The key is new at each start. */
export function createTokens(issuer: string): LocalTokens {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const kid = randomUUID();
  const { kty = "OKP", crv = "Ed25519", x = "" } = publicKey.export({ format: "jwk" });
  const header = base64url({ alg: "EdDSA", typ: "JWT", kid });
  return {
    jwks: { keys: [{ kty, crv, x, kid, use: "sig", alg: "EdDSA" }] },
    sign: ({ audience: aud, organization: org, tenant, subject: sub, tokenId: jti, scope }) => {
      const now = Math.floor(Date.now() / 1000);
      const [iat, exp] = [now - BACKDATED_SECONDS, now + TOKEN_SECONDS];
      const claims = {
        iss: issuer,
        aud,
        org,
        tenant,
        sub,
        jti,
        iat,
        nbf: iat,
        exp,
        scope: scope ?? undefined,
      };
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
