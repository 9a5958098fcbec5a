import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { Problem } from "@/lib/contract/platform/problem";
import { describeInvalidUtf8, findInvalidUtf8 } from "@/lib/domain/platform/utf8";
import type { Environment } from "../environment";

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

/** The network of a client's address: a client of IPv6 usually has a whole /64. */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [left = ""] = address.split("::");
  return left.split(":").slice(0, 4).join(":");
}

interface Bounds {
  bytes: number;
  /** Says what to send instead of something larger. */
  tooLarge: string;
  ms?: number;
}

/** The request's body. Throws TOO_LARGE as soon as it exceeds the limit, whatever its headers say, and TOO_SLOW when it takes too long. */
export async function readBody(request: Request, { bytes, tooLarge, ms }: Bounds): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const reader = request.body?.getReader();
  let isLate = false;
  const end = () => {
    isLate = true;
    void reader?.cancel().catch(() => undefined);
  };
  const timer = ms === undefined ? undefined : setTimeout(end, ms);
  try {
    for (let left = bytes; reader !== undefined;) {
      const { done, value } = await reader.read();
      if (done) break;
      left -= value.byteLength;
      if (left < 0) {
        void reader.cancel().catch(() => undefined);
        throw new Problem("TOO_LARGE", tooLarge);
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
  }
  if (isLate) throw new Problem("TOO_SLOW", "The upload took too long. Check your connection and try again.");
  return Buffer.concat(chunks);
}

/** A body as text. Throws BAD_INPUT with the offset of what is not UTF-8, because replacing it would change what was sent. */
export function decodeBody(body: Buffer): string {
  const at = findInvalidUtf8(body);
  if (at === undefined) return body.toString("utf8");
  throw new Problem("BAD_INPUT", `${describeInvalidUtf8("The request body", body, at)} Send text as UTF-8.`);
}
