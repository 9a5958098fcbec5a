import type { NextAuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import { cache } from "react";
import { signInInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { readActor, SESSION_SECONDS, signOut } from "../identity/sessions";
import { signIn } from "../identity/sign-in";
import { admitIdentity, signInWithIdentity } from "../linked-identities/sign-in-with-identity";
import { currentClient, rememberDevice } from "./client";
import { cookieName, cookieSecrets, isSecure, openCookie, readCookie } from "./cookies";
import { keepNewcomer } from "./newcomer";
import { createOidcProvider, OIDC, toIdentity, toRefusalPath } from "./oidc";
import { webEnvironment, webPlatform } from "./platform";
import { toLocalUrl } from "./sign-in-callback";

/** Who sent the request; undefined without an active session. Read once per request. */
export const currentActor = cache(async (): Promise<Actor | undefined> => {
  const token = await readCookie("session");
  return typeof token?.sid === "string" ? readActor(webPlatform(), token.sid) : undefined;
});

/** The cookie contains only a session's id. Each request reads the user from the database. */
export function authOptions(): NextAuthOptions {
  const secure = isSecure();
  const webUrl = webEnvironment().PLATFORM_WEB_URL;
  const issuer = webEnvironment().PLATFORM_OIDC_ISSUER;
  const oidc = createOidcProvider(webEnvironment());
  return {
    secret: cookieSecrets("session")[0],
    logger: { error: logRefusal, warn: () => {}, debug: () => {} },
    jwt: { decode: ({ token }) => openCookie("session", token) },
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    cookies: {
      sessionToken: {
        name: cookieName("session"),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure },
      },
    },
    pages: { signIn: "/sign-in", signOut: "/sign-out", error: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: {}, password: {}, code: {} },
        authorize: async (credentials) => {
          const { email, password, code } = credentials ?? {};
          const input = signInInput.safeParse({ email, password, code });
          if (!input.success) return null;
          return currentClient()
            .then((client) => signIn(webPlatform(), input.data, client))
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
  if (!(error instanceof Problem)) {
    webPlatform().log.error({ err: error }, "sign-in failed");
    throw new Error("INTERNAL");
  }
  if (error.code === "WRONG_CREDENTIALS") return null;
  const { retryAfterSeconds: seconds } = error;
  throw new Error(seconds === undefined ? error.code : `${error.code} ${seconds}`);
}
