/** Hosts that a manifest declares and its app doesn't use: what may be left out, and which apps ask for nothing more. */
import type { Host } from "@/lib/contract/catalog/manifest";
import { coversHost } from "./manifest/hosts";

/** What `propose` in the address of the manifest's editor asks for. */
export const FEWER_HOSTS = "fewer-hosts";

/** A host that an app was seen with in the last 90 days, in any of its versions. */
export interface SeenHost {
  host: string;
  /** When data was last sent or received; null if every attempt failed or was refused. */
  usedAt: string | null;
}

/** The days on which a version was watched, such as `2026-11-28`, and the hosts that it declares; undefined for any host. */
export interface WatchedVersion {
  hosts: readonly Host[] | undefined;
  days: readonly string[];
}

export interface FewerHosts {
  /** The number of hosts that the manifest names. */
  declared: number;
  /** How many of them the app was seen with. */
  used: number;
  /** Those that may be left out, in the manifest's order. */
  unused: string[];
}

/** A host must have been possible to use for so long before it counts as unused. */
const ENOUGH_DAYS = 14;

/**
 * A smaller list of hosts; undefined if nothing can be left out.
 *
 * What is proposed must never break an app, so in doubt a host stays:
 * - The app was watched on at least 14 days by a version that declares the host. Days without a running app don't count, nor do days on
 *   which only versions ran that didn't have the host.
 * - An attempt that was refused or failed is a use: the app wants the host.
 * - One host below `*.example.com` is enough, and where entries overlap, it counts for each of them.
 * - Optional hosts stay. The app says that it works without them, so it may use them rarely, and only for some customers.
 * - Hosts that customers enter in a setting stay. Whether they are used is up to the customers.
 * - If so many hosts were seen that some were counted together, one of these may be any host, and nothing is proposed.
 *
 * @param other the name under which hosts are counted together
 */
export function proposeFewerHosts(
  declared: readonly Host[] | undefined,
  seen: readonly SeenHost[],
  watched: readonly WatchedVersion[],
  other: string,
): FewerHosts | undefined {
  if (declared === undefined || seen.some(({ host }) => host === other)) return undefined;
  const named = declared.flatMap(({ host, optional = false }) =>
    host === undefined ? [] : [{ host, optional }],
  );
  const isSeen = (host: string) => seen.some((each) => coversHost(host, each.host));
  const unused = named
    .filter(({ host, optional }) => !optional && !isSeen(host) && countDays(host, watched) >= ENOUGH_DAYS)
    .map(({ host }) => host);
  if (unused.length === 0) return undefined;
  return { declared: named.length, used: named.filter(({ host }) => isSeen(host)).length, unused };
}

/** On how many days a version that could use the host was watched. */
function countDays(host: string, watched: readonly WatchedVersion[]): number {
  const days = watched
    .filter(({ hosts }) => hosts?.some((each) => each.host === host) === true)
    .flatMap((version) => version.days);
  return new Set(days).size;
}

/**
 * Whether the app used every host that it declares, optional ones included, and was watched on at least one day before today. Hosts that
 * customers enter in a setting are not asked for by the app. False for an app that may connect to any host.
 */
export function usesAllItDeclares(
  declared: readonly Host[] | undefined,
  seen: readonly SeenHost[],
  watched: readonly WatchedVersion[],
  today: string,
): boolean {
  if (declared === undefined || !watched.some(({ days }) => days.some((day) => day < today))) return false;
  const used = seen.filter(({ usedAt }) => usedAt !== null);
  return declared.every(({ host }) => host === undefined || used.some((each) => coversHost(host, each.host)));
}
