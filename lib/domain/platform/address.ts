import ipaddr from "ipaddr.js";

const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);
/** Cloud providers serve machine credentials here. */
const METADATA_ADDRESSES = new Set(["fd00:ec2::254", "100.100.100.200", "168.63.129.16"]);
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Undefined if an address that somebody outside of the platform chose may be connected to: a public one, or a private one where those
 * are allowed.
 */
export function whyForbidden(address: string, privateAllowed: boolean): string | undefined {
  if (!ipaddr.isValid(address)) return "it is not a valid address";
  // Normalizes ::ffff:127.0.0.1 and 2130706433 to 127.0.0.1.
  const ip = ipaddr.process(address);
  const range = ip.range();
  if (range === "linkLocal" || METADATA_ADDRESSES.has(ip.toString()))
    return "link-local and metadata addresses are not allowed";
  if (PRIVATE_RANGES.has(range))
    return privateAllowed ? undefined : "it is on this machine or on a private network";
  const isPublic = range === "unicast" && (ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_IPV6));
  return isPublic ? undefined : "it is not a public address";
}
