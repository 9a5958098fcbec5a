import { headers } from "next/headers";
import type { Actor } from "@/lib/domain/actor";
import { listAllowedPages } from "@/lib/domain/policy";

/** What the frame around a signed-in user's pages shows. The IDs of the user and the session stay on the server. */
export async function describeShell(actor: Actor) {
  const { name, email, organization, moderator } = actor;
  return {
    actor: { name, email, organization, moderator },
    allowed: listAllowedPages(actor),
    nonce: (await headers()).get("x-nonce") ?? undefined,
  };
}
