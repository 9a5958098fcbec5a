/** Where a name leads now, checked: the address that is returned is the one to connect to, without another look-up. */
import { Resolver } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import type { OwnPlace } from "@/lib/contract/runtime/egress";
import { whyForbidden } from "@/lib/domain/platform/address";

/** A connection that is not made. The message completes "The app …" or "The host …" for the publisher. */
export class Refusal extends Error {}

export interface Reachable {
  /** Private addresses too. */
  allowsPrivate: boolean;
  /** The addresses of the platform's own machine are treated like any other. Its own listeners never are. */
  allowsOwn: boolean;
}

export interface ClosedAddresses {
  own: ReadonlySet<string>;
  /** The platform's own listeners, by name or address. */
  places: readonly OwnPlace[];
  /** What is never reached: the ranges or addresses of apps, and the loopback, which would be the guard's own. */
  never: { addresses: ReadonlySet<string>; ranges: readonly [ipaddr.IPv4, number][] };
}

/** Throws a Refusal if this is the platform itself, before anything is looked up. @param allowsOwn of other ports of its host */
export function checkPlace(
  { host, port }: OwnPlace,
  allowsOwn: boolean,
  { places }: Pick<ClosedAddresses, "places">,
): void {
  if (places.some((own) => own.host === host && (!allowsOwn || own.port === port)))
    throw new Refusal("is a host of the platform itself");
}

/** Throws a Refusal if this address is not one to connect to. */
export function checkAddress(
  address: string,
  { allowsPrivate, allowsOwn }: Reachable,
  { own, never }: ClosedAddresses,
): void {
  const reason = whyForbidden(address, allowsPrivate);
  if (reason !== undefined) throw new Refusal(`has an address that apps can't reach: ${reason}`);
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv4)) throw new Refusal("has no IPv4 address, and apps have no IPv6");
  if (!allowsOwn && own.has(parsed.toString())) throw new Refusal("has an address of the platform");
  if (
    never.addresses.has(parsed.toString()) ||
    never.ranges.some(([base, prefix]) => parsed.match(base, prefix))
  )
    throw new Refusal(
      parsed.range() === "loopback"
        ? "has a loopback address, which leads nowhere from a container, so it must listen on another one, too"
        : "has an address that is closed to all apps",
    );
}

type Lookup = (name: string) => Promise<string[]>;

const KEPT_MS = 10_000;
const MOST_KEPT = 10_000;
/** A name with more has an owner who wants to be looked up for long. */
const MOST_ADDRESSES = 1_000;
const LOOKUP_MS = 3_000;

/** IPv4 only: apps and the guard have no IPv6. Answers with the names that containers have lead to private addresses. */
function lookupInNetwork(): Lookup {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 2 });
  return (name) => resolver.resolve4(name);
}

export function createResolver(lookup: Lookup = lookupInNetwork(), now: () => number = Date.now) {
  const kept = new Map<string, { until: number; addresses: Promise<string[]> }>();

  function find(name: string): Promise<string[]> {
    const known = kept.get(name);
    if (known !== undefined && known.until > now()) return known.addresses;
    kept.delete(name);
    for (const oldest of kept.keys()) {
      if (kept.size < MOST_KEPT) break;
      kept.delete(oldest);
    }
    const addresses = lookup(name).catch(() => []);
    kept.set(name, { until: now() + KEPT_MS, addresses });
    return addresses;
  }

  return {
    /** Whether the name was looked up a moment ago, so that it costs nothing. */
    isKept: (name: string) => (kept.get(name)?.until ?? 0) > now(),
    /** Throws a Refusal. */
    resolve: async (name: string, reachable: Reachable, closed: ClosedAddresses): Promise<string> => {
      const addresses = await find(name);
      if (addresses.length === 0) throw new Refusal("has no IPv4 address, and apps have no IPv6");
      if (addresses.length > MOST_ADDRESSES) throw new Refusal("has too many addresses");
      for (const address of addresses) checkAddress(address, reachable, closed);
      return addresses[Math.floor(Math.random() * addresses.length)] ?? "";
    },
  };
}
