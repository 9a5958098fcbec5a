import { cookies } from "next/headers";
import { cache } from "react";
import type { Actor } from "@/lib/domain/actor";
import { readActor } from "../identity/sign-in";
import { openSessionCookie, sessionCookie } from "./auth-options";
import { webPlatform } from "./platform";

/** Who asks; undefined without a live session. Read once a request. */
export const currentActor = cache(async (): Promise<Actor | undefined> => {
  const cookie = (await cookies()).get(sessionCookie().name)?.value;
  if (cookie === undefined) return undefined;
  const token = await openSessionCookie(cookie);
  return typeof token?.sid === "string" ? readActor(webPlatform(), token.sid) : undefined;
});
