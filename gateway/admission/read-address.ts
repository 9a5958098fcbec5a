import type { IncomingMessage } from "node:http";
import type { Platform } from "@/lib/server/platform/platform";

/** Of the client. A proxy appends the address that it saw; what comes before it, anyone can claim. */
export function readAddress({ environment }: Platform, { headers, socket }: IncomingMessage): string {
  const forwarded = environment.PLATFORM_BEHIND_PROXY ? headers["x-forwarded-for"] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(",").at(-1)?.trim();
  return last ?? socket.remoteAddress ?? "";
}
