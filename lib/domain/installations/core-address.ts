/** A core that the platform reaches, and apps in containers don't. They have IPv4 only, and a loopback of their own. */
import ipaddr from "ipaddr.js";

interface CoreAddress {
  /** As the customer entered it. */
  url: string;
  /** What its host leads to, as the platform sees it. */
  addresses: readonly string[];
  /** This machine's address as containers see it, if there is one. */
  bridge: string | undefined;
}

/** Why, and what to enter instead; undefined if nothing speaks against the address. */
export function explainUnreachable({ url, addresses, bridge }: CoreAddress): string | undefined {
  const { hostname } = new URL(url);
  const found = addresses
    .filter((address) => ipaddr.isValid(address))
    .map((address) => ipaddr.process(address));
  if (found.length === 0) return undefined;
  if (found.every((address) => ["loopback", "unspecified"].includes(address.range()))) {
    const instead =
      bridge === undefined
        ? "Let the core also listen on an address that other machines reach, and enter that one"
        : `Let the core also listen on ${bridge}, and enter ${withHost(url, bridge)}`;
    return `In an app's container, ${hostname} is the container itself. ${instead}.`;
  }
  if (found.some((address) => address instanceof ipaddr.IPv4)) return undefined;
  return `Apps' containers have no IPv6, and ${hostname} has no IPv4 address. Enter a host name or an address with IPv4.`;
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = host;
  return changed.href.replace(/\/+$/, "");
}
