import type { IncomingMessage } from "node:http";
import type { Environment } from "../platform/environment";

/** The client's address. A proxy appends the address that it saw; anything before that can be forged. */
export function readAddress(
  { PLATFORM_BEHIND_PROXY }: Pick<Environment, "PLATFORM_BEHIND_PROXY">,
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
): string {
  const forwarded = PLATFORM_BEHIND_PROXY ? headers["x-forwarded-for"] : undefined;
  const last = (Array.isArray(forwarded) ? forwarded.join() : forwarded)?.split(",").at(-1)?.trim();
  return last ?? socket.remoteAddress ?? "";
}

/** The header in which the web server tells its pages the client's address. It overwrites what a client sends in it. */
export const CLIENT_ADDRESS = "x-platform-client-address";
