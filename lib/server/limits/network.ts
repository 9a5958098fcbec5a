import { isIPv6 } from "node:net";

/** The network of a client's address: a client of IPv6 usually has a whole /64. */
export function toNetwork(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [left = ""] = address.split("::");
  return left.split(":").slice(0, 4).join(":");
}
