import type { NextAuthOptions } from "next-auth";
import { decode, type JWT } from "next-auth/jwt";
import Credentials from "next-auth/providers/credentials";
import { signInInput } from "@/lib/contract/organization";
import { Problem } from "@/lib/contract/problem";
import { readActor, SESSION_SECONDS, signIn, signOut } from "../identity/sign-in";
import { deriveKey } from "../platform/keyring";
import { webEnvironment, webPlatform } from "./platform";
import { cookies } from "next/headers";
import { cache } from "react";
import type { Actor } from "@/lib/domain/actor";

/** The first seals cookies, all of them open: nobody is signed out by a rotation of the master keys. */
function sessionSecrets(): string[] {
  const masters = [...webPlatform().keyring.byId.values()];
  return masters.map((master) => deriveKey(master, "session-cookie").toString("hex"));
}

/** What a session cookie holds; null for one that is malformed, foreign or expired. */
async function openSessionCookie(cookie: string | undefined): Promise<JWT | null> {
  for (const secret of sessionSecrets()) {
    const token = await decode({ token: cookie, secret }).catch(() => null);
    if (token !== null) return token;
  }
  return null;
}

/** `__Host-` pins the cookie to this very host; browsers take it over https alone. */
function sessionCookie(): { name: string; secure: boolean } {
  const secure = webEnvironment().PLATFORM_WEB_URL.startsWith("https:");
  return { name: secure ? "__Host-platform-session" : "platform-session", secure };
}

/** The cookie carries a session's id and nothing else; who that is, is read from the database at each request. */
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
          return signIn(webPlatform(), input.data).then(({ sessionId }) => ({ id: sessionId }), refuse);
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user === undefined ? token.sid : user.id }),
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
 * `null` is next-auth's word for wrong credentials. It writes the message of anything else into an address, so that is
 * the code of a refusal and no more.
 */
function refuse(error: unknown): null {
  if (!(error instanceof Problem)) {
    webPlatform().log.error({ err: error }, "a sign-in broke");
    throw new Error("INTERNAL");
  }
  if (error.code === "WRONG_CREDENTIALS") return null;
  throw new Error(error.code);
}

/** Who asks; undefined without a live session. Read once a request. */
export const currentActor = cache(async (): Promise<Actor | undefined> => {
  const cookie = (await cookies()).get(sessionCookie().name)?.value;
  if (cookie === undefined) return undefined;
  const token = await openSessionCookie(cookie);
  return typeof token?.sid === "string" ? readActor(webPlatform(), token.sid) : undefined;
});
