/**
 * Connections to customers' cores. Each socket connects to an address that was just checked, so that a host name cannot
 * resolve to an allowed address first and to another one later.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, buildConnector } from "undici";

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

/** The connector of such an agent. @param allowsPrivate whether this connection may lead to a private network */
export function checkedConnector(
  allowsPrivate: (options: buildConnector.Options) => boolean,
): buildConnector.connector {
  const connect = buildConnector({ timeout: CORE_DEADLINE_MS });
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    resolveAllowed(host, allowsPrivate(options)).then(
      (address) => {
        const servername = options.servername ?? (isIP(host) === 0 ? host : undefined);
        connect({ ...options, hostname: address, servername }, callback);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

/** The first address of `host`. Throws CoreAddressError if any of its addresses is forbidden. */
export async function resolveAllowed(host: string, privateCores: boolean): Promise<string> {
  const found = await lookup(withoutBrackets(host), { all: true });
  for (const { address } of found) {
    const reason = whyForbidden(address, privateCores);
    if (reason !== undefined) throw new CoreAddressError(reason);
  }
  const [first] = found;
  if (first === undefined) throw new CoreAddressError("it has no address");
  return first.address;
}

/** `[::1]` → `::1`. */
function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

/** URLs leave out their protocol's default port. */
function effectivePort(port: string, protocol: string): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}

const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
/** Cloud providers serve machine credentials here. */
const METADATA_ADDRESSES = new Set(["fd00:ec2::254", "100.100.100.200", "168.63.129.16"]);
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Undefined if the platform may connect to the address: a public one, or a private one where those are allowed. */
export function whyForbidden(address: string, privateCores: boolean): string | undefined {
  if (!ipaddr.isValid(address)) return "it is not a valid address";
  // Normalizes ::ffff:127.0.0.1 and 2130706433 to 127.0.0.1.
  const ip = ipaddr.process(address);
  const range = ip.range();
  if (range === "linkLocal" || METADATA_ADDRESSES.has(ip.toString()))
    return "link-local and metadata addresses are not allowed";
  if (PRIVATE_RANGES.has(range))
    return privateCores ? undefined : "it is on this machine or on a private network";
  const isPublic = range === "unicast" && (ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_IPV6));
  return isPublic ? undefined : "it is not a public address";
}
