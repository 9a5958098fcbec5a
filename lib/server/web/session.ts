import { cookies } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import { decode, type JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { cache } from "react";
import { signInInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import type { Actor } from "@/lib/domain/actor";
import { readActor, SESSION_SECONDS, signIn, signOut } from "../identity/sign-in";
import { deriveKey } from "../platform/keyring";
import { webEnvironment, webPlatform } from "./platform";
import { toLocalUrl } from "./sign-in-callback";

/** Who sent the request; undefined without an active session. Read once per request. */
export const currentActor = cache(async (): Promise<Actor | undefined> => {
  const cookie = (await cookies()).get(sessionCookie().name)?.value;
  if (cookie === undefined) return undefined;
  const token = await openSessionCookie(cookie);
  return typeof token?.sid === "string" ? readActor(webPlatform(), token.sid) : undefined;
});

/** The cookie contains only a session's id. Each request reads the user from the database. */
export function authOptions(): NextAuthOptions {
  const { name, secure } = sessionCookie();
  return {
    secret: sessionSecrets()[0],
    jwt: { decode: ({ token }) => openSessionCookie(token) },
    session: { strategy: "jwt", maxAge: SESSION_SECONDS },
    cookies: { sessionToken: { name, options: { httpOnly: true, sameSite: "lax", path: "/", secure } } },
    pages: { signIn: "/sign-in", signOut: "/sign-out", error: "/sign-in" },
    providers: [
      Credentials({
        credentials: { email: {}, password: {} },
        authorize: async (credentials) => {
          const input = signInInput.safeParse({ email: credentials?.email, password: credentials?.password });
          if (!input.success) return null;
          return signIn(webPlatform(), input.data).then(({ sessionId }) => ({ id: sessionId }), handleError);
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user === undefined ? token.sid : user.id }),
      redirect: ({ url }) => toLocalUrl(url, webEnvironment().PLATFORM_WEB_URL),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token.sid === "string") await signOut(webPlatform(), token.sid);
      },
    },
  };
}

/**
 * next-auth takes `null` for wrong credentials. It puts the message of any other error into a URL, so that message is only
 * the problem's code.
 */
function handleError(error: unknown): null {
  if (!(error instanceof Problem)) {
    webPlatform().log.error({ err: error }, "sign-in failed");
    throw new Error("INTERNAL");
  }
  if (error.code === "WRONG_CREDENTIALS") return null;
  throw new Error(error.code);
}

/** `__Host-` binds the cookie to this exact host. Browsers accept it only over HTTPS. */
function sessionCookie(): { name: string; secure: boolean } {
  const secure = webEnvironment().PLATFORM_WEB_URL.startsWith("https:");
  return { name: secure ? "__Host-platform-session" : "platform-session", secure };
}

/** Null for a cookie that is malformed, foreign, or expired. */
async function openSessionCookie(cookie: string | undefined): Promise<JWT | null> {
  for (const secret of sessionSecrets()) {
    const token = await decode({ token: cookie, secret }).catch(() => null);
    if (token !== null) return token;
  }
  return null;
}

/** The first one seals cookies, all of them open cookies, so that rotating the master keys signs nobody out. */
function sessionSecrets(): string[] {
  const masters = [...webPlatform().keyring.byId.values()];
  return masters.map((master) => deriveKey(master, "session-cookie").toString("hex"));
}
