import type { Profile } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import type { IssuedIdentity, LinkDecision } from "@/lib/domain/identity-link";
import type { Environment } from "../platform/environment";

export const OIDC = "oidc";

/** The claims of an ID token that count. An issuer may send anything. */
interface Claims extends Profile {
  email_verified?: unknown;
}

/** What next-auth needs for the issuer; undefined if none is configured. It checks the ID token, state, nonce and PKCE. */
export function createOidcProvider(environment: Environment): OAuthConfig<Claims> | undefined {
  const { PLATFORM_OIDC_ISSUER: issuer, PLATFORM_OIDC_NAME: name } = environment;
  if (issuer === "") return undefined;
  return {
    id: OIDC,
    name,
    type: "oauth",
    wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    idToken: true,
    checks: ["pkce", "state", "nonce"],
    httpOptions: { timeout: 10_000 },
    authorization: { params: { scope: "openid email profile" } },
    clientId: environment.PLATFORM_OIDC_CLIENT_ID,
    clientSecret: environment.PLATFORM_OIDC_CLIENT_SECRET,
    profile: ({ sub = "" }) => ({ id: sub }),
  };
}

/** `issuer`: as it is configured, so that an account stays linked however the issuer writes its own name. */
export function toIdentity(issuer: string, { sub = "", email, email_verified }: Claims): IssuedIdentity {
  const address = typeof email === "string" ? email.trim().toLowerCase() : "";
  return { issuer, subject: sub, email: address, emailVerified: email_verified === true };
}

/** Where somebody goes whose identity is linked to no account. The page says why. */
export function toRefusalPath(decision: Extract<LinkDecision, { do: "refuse" }>): string {
  if (decision.reason === "no-account") return "/sign-up?error=no-account";
  return decision.reason === "link-first" ? "/sign-in?error=link-first" : "/account?error=linked-elsewhere";
}
