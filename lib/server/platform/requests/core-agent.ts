/**
 * Connections to customers' cores. Each socket connects to an address that was just checked, so that a host name cannot
 * resolve to an allowed address first and to another one later.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { whyForbidden } from "@/lib/domain/platform/address";

export const CORE_DEADLINE_MS = 5_000;

/** The platform does not connect to this address. */
export class CoreAddressError extends Error {}

/**
 * An undici Agent whose connector resolves the host, rejects it if any of its addresses is forbidden, and connects to the
 * address it checked. (undici skips a `lookup` hook for hosts that are already addresses.) Follows no redirects.
 * @param platformCore an origin that may be on a private network even if others may not
 */
export function createCoreAgent(privateCores: boolean, platformCore?: string): Agent {
  const exempt = platformCore === undefined ? undefined : new URL(platformCore);
  return new Agent({
    maxResponseSize: 1024 * 1024,
    maxHeaderSize: 16 * 1024,
    headersTimeout: CORE_DEADLINE_MS,
    bodyTimeout: CORE_DEADLINE_MS,
    connect: checkedConnector((options) => {
      const isExempt =
        exempt?.protocol === options.protocol &&
        withoutBrackets(exempt.hostname) === withoutBrackets(options.hostname) &&
        effectivePort(exempt.port, exempt.protocol) === effectivePort(options.port, options.protocol);
      return privateCores || isExempt;
    }),
  });
}

/** All addresses of a host name. */
export type ResolveHost = (host: string) => Promise<string[]>;

const resolveHere: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The connector of such an agent.
 * @param allowsPrivate whether this connection may lead to a private network
 * @param resolve with another resolver than this machine's
 */
export function checkedConnector(
  allowsPrivate: (options: buildConnector.Options) => boolean,
  resolve?: ResolveHost,
): buildConnector.connector {
  const connect = buildConnector({ timeout: CORE_DEADLINE_MS });
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    resolveAllowed(host, allowsPrivate(options), resolve).then(
      (address) => {
        const servername = options.servername ?? (isIP(host) === 0 ? host : undefined);
        connect({ ...options, hostname: address, servername }, callback);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** The first address of `host`. Throws CoreAddressError if any of its addresses is forbidden. */
export async function resolveAllowed(
  host: string,
  privateCores: boolean,
  resolve = resolveHere,
): Promise<string> {
  const found = await resolve(withoutBrackets(host));
  for (const address of found) {
    const reason = whyForbidden(address, privateCores);
    if (reason !== undefined) throw new CoreAddressError(reason);
  }
  const [first] = found;
  if (first === undefined) throw new CoreAddressError("it has no address");
  return first;
}

/** `[::1]` → `::1`. */
function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** URLs leave out their protocol's default port. */
function effectivePort(port: string, protocol: string): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}
