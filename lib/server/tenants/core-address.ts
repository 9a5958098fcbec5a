import ipaddr from "ipaddr.js";

/** Ranges of the internet. Everything else is this machine, a private network, or nothing that a core lives at. */
const PRIVATE_RANGES = new Set(["loopback", "private", "uniqueLocal", "carrierGradeNat"]);

/** Clouds hand out credentials of the machine here. */
const METADATA = new Set(["fd00:ec2::254", "100.100.100.200", "168.63.129.16"]);

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Why the platform does not connect to this address; undefined when it does. Private networks only where they are allowed. */
export function refusalOf(address: string, privateCores: boolean): string | undefined {
  if (!ipaddr.isValid(address)) return "it is not an address";
  // Turns ::ffff:127.0.0.1 into 127.0.0.1, and 2130706433 too.
  const ip = ipaddr.process(address);
  const range = ip.range();
  if (range === "linkLocal" || METADATA.has(ip.toString()))
    return "link-local and metadata addresses are never a core";
  if (PRIVATE_RANGES.has(range))
    return privateCores ? undefined : "it is on this machine or on a private network";
  const global = range === "unicast" && (ip instanceof ipaddr.IPv4 || ip.match(GLOBAL_IPV6));
  return global ? undefined : "it is not an address of the internet";
}
