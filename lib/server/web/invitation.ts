import { cache } from "react";
import { Problem } from "@/lib/contract/problem";
import { readInvitation } from "../invitations/accept-invitation";
import { currentClient } from "./client";
import { webPlatform } from "./platform";

/** The invitation of a link: read, and counted as a try, once for the page and its title. */
export const currentInvitation = cache(async (token: string) => {
  return readInvitation(webPlatform(), token, await currentClient()).catch((error: unknown) => {
    if (error instanceof Problem && error.code === "TOO_MANY_REQUESTS") return error.detail;
    throw error;
  });
});
