import type { NextAuthOptions, Profile } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { OAuthConfig } from "next-auth/providers/oauth";
import { NextRequest } from "next/server";
import { cache } from "react";
import { normalizeAddress, signInInput } from "@/lib/contract/accounts/account";
import { Problem } from "@/lib/contract/platform/problem";
import { canBeStored } from "@/lib/contract/platform/text";
import { type IssuedIdentity, type LinkDecision, localPath } from "@/lib/domain/accounts/sign-in";
import type { Actor } from "@/lib/domain/platform/actor";
import { readActor, SESSION_SECONDS, signOut } from "../../accounts/sessions";
import { admitIdentity, signIn, signInWithIdentity } from "../../accounts/sign-in";
import { isDatabaseUnavailable, toPageError, whileAvailable } from "../../platform/database/availability";
import type { Environment } from "../../platform/environment";
import {
  cookieName,
  cookieOptions,
  cookieSecrets,
  currentClient,
  keepNewcomer,
  openCookie,
  readCookie,
  rememberDevice,
} from "./cookies";
import { webEnvironment, webPlatform } from "./platform";

/** Who sent the request; undefined without an active session. Read once per request. */
export const currentActor = cache(async (): Promise<Actor | undefined> => {
  const token = await readCookie("session");
  if (typeof token?.sid !== "string") return undefined;
  const platform = webPlatform();
  return whileAvailable(platform, readActor(platform, token.sid)).catch((error: unknown) => {
    throw toPageError(error);
  });
});

/** The cookie contains only a session's id. Each request reads the user from the database. */
export function authOptions(): NextAuthOptions {
  const webUrl = webEnvironment().PLATFORM_WEB_URL;
  const issuer = webEnvironment().PLATFORM_OIDC_ISSUER;
  const oidc = createOidcProvider(webEnvironment());
  return {
    secret: cookieSecrets("session")[0],
    logger: { error: logRefusal, warn: () => {}, debug: () => {} },
    jwt: { decode: ({ token }) => openCookie("session", token) },
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    cookies: describeCookies(),
    pages: { signIn: "/sign-in", signOut: "/sign-out", error: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: {}, password: {}, code: {} },
        authorize: async (credentials) => {
          const { email, password, code } = credentials ?? {};
          const input = signInInput.safeParse({ email, password, code });
          if (!input.success) return null;
          return currentClient()
            .then((client) => whileAvailable(webPlatform(), signIn(webPlatform(), input.data, client)))
            .then(enter, handleError);
        },
      }),
      ...(oidc === undefined ? [] : [oidc]),
    ],
    callbacks: {
      signIn: async ({ account, profile }) => {
        if (account?.provider !== OIDC) return true;
        const identity = toIdentity(issuer, profile ?? {});
        const decision = await admitIdentity(webPlatform(), identity, await currentActor());
        if (decision.do !== "refuse") return true;
        if (decision.reason === "no-account") await keepNewcomer(profile ?? {});
        return toLocalUrl(toRefusalPath(decision), webUrl);
      },
      jwt: async ({ token, user, account, profile }) => {
        if (account?.provider === OIDC) {
          const identity = toIdentity(issuer, profile ?? {});
          const { id } = await enter(
            await signInWithIdentity(webPlatform(), identity, await currentClient()),
          );
          return { sid: id };
        }
        return { sid: user === undefined ? token.sid : user.id };
      },
      redirect: ({ url }) => toLocalUrl(url, webUrl),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token.sid === "string") await signOut(webPlatform(), token.sid);
      },
    },
  };
}

/** How long somebody may take at the identity provider, in seconds. */
const PROVIDER_SECONDS = 15 * 60;

/** All of next-auth's, so that none has a name that another platform on this host uses. */
function describeCookies(): NextAuthOptions["cookies"] {
  const options = cookieOptions();
  const brief = { ...options, maxAge: PROVIDER_SECONDS };
  return {
    sessionToken: { name: cookieName("session"), options },
    csrfToken: { name: cookieName("csrf"), options },
    callbackUrl: { name: cookieName("callback-url"), options },
    pkceCodeVerifier: { name: cookieName("pkce"), options: brief },
    state: { name: cookieName("state"), options: brief },
    nonce: { name: cookieName("nonce"), options },
  };
}

/** next-auth's errors are mostly sign-ins that it refused. They may quote tokens, so only their message is logged. */
function logRefusal(code: string, metadata: unknown): void {
  const error = metadata instanceof Error ? metadata : undefined;
  const named = typeof metadata === "object" && metadata !== null && "message" in metadata;
  const reason = error?.message ?? (named ? String(metadata.message) : "");
  webPlatform().log.warn({ code, reason: reason.slice(0, 300) }, "next-auth refused a request");
}

/** The browser's new session takes the place of the one that it had. */
async function enter({ sessionId, userId }: { sessionId: string; userId: string }): Promise<{ id: string }> {
  const before = await currentActor();
  if (before !== undefined) await signOut(webPlatform(), before.sessionId);
  await rememberDevice(userId);
  return { id: sessionId };
}

/**
 * next-auth takes `null` for wrong credentials. It puts the message of any other error into a URL, so that message is only
 * the problem's code, with the seconds to wait where there are any.
 */
function handleError(error: unknown): null {
  if (isDatabaseUnavailable(error)) throw new Error("DATABASE_UNAVAILABLE");
  if (!(error instanceof Problem)) {
    webPlatform().log.error({ err: error }, "sign-in failed");
    throw new Error("INTERNAL");
  }
  if (error.code === "WRONG_CREDENTIALS") return null;
  const { retryAfterSeconds: seconds } = error;
  throw new Error(seconds === undefined ? error.code : `${error.code} ${seconds}`);
}

const OIDC = "oidc";

/** The claims of an ID token that count. An issuer may send anything. */
interface Claims extends Profile {
  email_verified?: unknown;
}

/** What next-auth needs for the issuer; undefined if none is configured. It checks the ID token, state, nonce and PKCE. */
function createOidcProvider(environment: Environment): OAuthConfig<Claims> | undefined {
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
function toIdentity(issuer: string, { sub = "", email, email_verified }: Claims): IssuedIdentity {
  const address = typeof email === "string" ? normalizeAddress(email) : "";
  // Storing would make subjects equal that differ only in what can't be stored.
  const subject = canBeStored(sub) ? sub : JSON.stringify(sub);
  return { issuer, subject, email: address, emailVerified: email_verified === true };
}

/** Where people go whose identity is not linked to an account. The page says why. */
function toRefusalPath(decision: Extract<LinkDecision, { do: "refuse" }>): string {
  if (decision.reason === "no-account") return "/sign-up?error=no-account";
  return decision.reason === "link-first" ? "/sign-in?error=link-first" : "/account?error=linked-elsewhere";
}

/** Where next-auth may send a user: a path of this platform, otherwise home. */
function toLocalUrl(wanted: string, webUrl: string): string {
  const { origin } = new URL(webUrl);
  return origin + localPath(wanted, "/", origin);
}

/** next-auth responds with a 500 to a `callbackUrl` that is not a URL, before it asks where it may send the user. */
export function withLocalCallback(request: NextRequest, webUrl: string): NextRequest {
  const url = new URL(request.url);
  const wanted = url.searchParams.get("callbackUrl");
  if (wanted === null) return request;
  url.searchParams.set("callbackUrl", toLocalUrl(wanted, webUrl));
  return new NextRequest(url, request);
}

/** Of a sign-in form; the largest field is a URL. */
const MOST_BYTES = 64 * 1024;

/**
 * Throws for requests to which next-auth would respond with a 500, or which no page of ours sends: a sign-in by GET, another
 * origin's form, and anything that is not a small form.
 */
export function checkSignInRequest(request: Request, webUrl: string): void {
  const { headers, method } = request;
  const { pathname } = new URL(request.url);
  // It would write what anyone sends into our log.
  if (pathname.endsWith("/_log")) throw new Problem("NOT_FOUND");
  if (method !== "POST") {
    if (pathname.endsWith("/callback/credentials"))
      throw new Problem(
        "WRONG_METHOD",
        "This address accepts only POST requests. Sign in on the sign-in page.",
      );
    return;
  }
  checkOrigin(headers, webUrl);
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new Problem("WRONG_MEDIA_TYPE", "Send a form, as 'application/x-www-form-urlencoded'.");
  const length = headers.get("content-length") ?? "";
  if (!/^\d{1,6}$/.test(length) || Number(length) > MOST_BYTES)
    throw new Problem(
      "TOO_LARGE",
      `Send a form of at most ${MOST_BYTES / 1024} KiB, with its Content-Length.`,
    );
}

/** Browsers send `Origin` with every mutation, and pages cannot forge it. */
export function checkOrigin(headers: Headers, webUrl: string): void {
  const own = new URL(webUrl).origin;
  if (headers.get("origin") === own) return;
  throw new Problem("WRONG_ORIGIN", `The platform's address is ${own}. Open this page there, and try again.`);
}
