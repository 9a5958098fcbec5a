/** What pages show of where an app sends data: its declared hosts beside those that the egress guard saw. */
import type { Enforcement } from "@/lib/contract/catalog/rights";
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import { listSettings } from "@/lib/contract/platform/manifest-terms";
import { OTHER_HOSTS } from "./egress-limits";
import type { SeenHost } from "../../catalog/fewer-hosts";
import { coversHost } from "../../catalog/manifest/hosts";
import { allowHosts } from "./allowed-hosts";

/** What the guard counted of a host, in the time that is shown. */
export interface HostUse extends SeenHost {
  /** When it was first used in that time; null as `usedAt`. */
  firstUsedAt: string | null;
  connections: number;
  bytesOut: number;
  bytesIn: number;
  refused: number;
  /** Why the last attempt was refused; null if none was. */
  reason: string | null;
}

/** Why an app's connections are not seen. */
export type Blindness = "open" | "process" | "cluster";

/** One host, or several that belong together. */
export interface EgressRow extends Omit<HostUse, "host"> {
  /** A host, or `*.` and a name; otherwise `words` say what it is. */
  host?: string;
  words?: string;
  purpose?: string;
  /** Some of the hosts that are counted together. */
  among: string[];
  /** The manifest names it, or it follows from the app's customers. */
  isDeclared: boolean;
  isOptional: boolean;
}

/** Who reads it: customers must not learn who else uses the app; reviewers look for what was refused. */
export type EgressReader = "customer" | "publisher" | "reviewer";

export interface EgressView {
  reader: EgressReader;
  /** Null while the guard sees the app's connections. */
  blindness: Blindness | null;
  /**
   * The first day of what is shown, such as `2026-11-28`. Null if the app was never watched, or isn't any more: what was counted before
   * says nothing about now.
   */
  since: string | null;
  rows: EgressRow[];
  /** Rows that are not shown. */
  left: number;
}

interface Seen {
  reader: EgressReader;
  manifest: Manifest;
  uses: readonly HostUse[];
  /** How many more hosts there are, which were not read. */
  more?: number;
  blindness: Blindness | null;
  since: string | null;
  /** URLs of the cores of the app's customers; for a customer, only of its own. */
  cores: readonly string[];
  /** What the app's customers entered in a setting; for a customer, only what it entered itself. */
  valuesOf?: (setting: string) => readonly string[];
}

const CORES: Record<EgressReader, string> = {
  customer: "Your core",
  publisher: "Cores of customers",
  reviewer: "The sandbox's core",
};

/** A page has room for so many. */
const MOST_ROWS = 25;
const MOST_AMONG = 3;

/**
 * For publishers: what is declared, the cores of customers as one row, and every other host. For customers: what is declared, and their own
 * core and hosts; other names may be those of other customers. For reviewers: what was refused first.
 */
export function viewEgress({ reader, blindness, since, more = 0, ...seen }: Seen): EgressView {
  const rows = listRows(reader, { ...seen, more });
  const sorted = reader === "reviewer" ? rows.toSorted(byRefusals) : sortByUse(rows);
  // A customer decides about each optional host.
  const shown = sorted.filter((row, at) => at < MOST_ROWS || (reader === "customer" && row.isOptional));
  // A check that was watched stays what it was.
  const isSeen = blindness === null || (reader === "reviewer" && since !== null);
  return {
    reader,
    blindness: isSeen ? null : blindness,
    since: isSeen ? since : null,
    rows: shown,
    left: sorted.length - shown.length + (reader === "customer" ? 0 : more),
  };
}

type Listed = Pick<Seen, "manifest" | "uses" | "cores" | "valuesOf"> & { more: number };

function listRows(reader: EgressReader, { manifest, uses, more, cores, valuesOf }: Listed): EgressRow[] {
  const hosts = manifest.core?.hosts;
  const exact = new Set(hosts?.flatMap(({ host }) => host ?? []));
  const left = new Set(uses);
  const take = (isIts: (use: HostUse) => boolean): HostUse[] => {
    const taken = [...left].filter(isIts);
    for (const use of taken) left.delete(use);
    return taken;
  };
  const declared = (hosts ?? []).flatMap(({ host, purpose, optional = false }): EgressRow[] => {
    if (host === undefined) return [];
    const taken = take(({ host: name }) => name === host || (!exact.has(name) && coversHost(host, name)));
    const among = reader !== "customer" && host.startsWith("*.") ? listSome(taken) : [];
    return [{ host, purpose, ...add(taken), among, isDeclared: true, isOptional: optional }];
  });
  const atCores = take(({ host }) => new Set(hostsOf([], cores)).has(host));
  const core = atCores.length === 0 ? [] : [inWords(CORES[reader], atCores)];
  const entered = (hosts ?? []).filter(({ setting }) => setting !== undefined);
  if (reader === "customer") {
    const own = entered.map((each) => {
      const its = hostsOf([each], [], valuesOf);
      return rowOfSettings(
        manifest,
        [each],
        take(({ host }) => its.includes(host)),
        its[0],
      );
    });
    return [...declared, ...own, ...core, ...(hosts === undefined ? [anyHost([...left], more > 0)] : [])];
  }
  const its = new Set(hostsOf(entered, [], valuesOf));
  // What is let through without being named by the manifest is what customers entered, too, such as those who left.
  const byCustomers =
    entered.length === 0
      ? []
      : [
          rowOfSettings(
            manifest,
            entered,
            take((use) => its.has(use.host) || (isUsed(use) && !isOther(use))),
          ),
        ];
  return [...declared, ...byCustomers, ...core, ...[...left].map((use) => rowOf(use, hosts === undefined))];
}

const isUsed = ({ usedAt }: Pick<HostUse, "usedAt">) => usedAt !== null;
const isOther = ({ host }: HostUse) => host === OTHER_HOSTS;

/** The settings in which customers enter hosts. */
export function listHostSettings(hosts: readonly Host[] | undefined): string[] {
  return (hosts ?? []).flatMap(({ setting }) => setting ?? []);
}

/** Hosts that an app may connect to only because of its customers. */
export function listCustomersHosts(
  hosts: readonly Host[] | undefined,
  { cores, valuesOf }: Required<Pick<Seen, "cores" | "valuesOf">>,
): string[] {
  return hostsOf(
    (hosts ?? []).filter(({ setting }) => setting !== undefined),
    cores,
    valuesOf,
  );
}

function hostsOf(hosts: Host[], cores: readonly string[], valuesOf: Seen["valuesOf"] = () => []): string[] {
  const named = cores.map((url) => ({ url, mayBePrivate: true }));
  return allowHosts(hosts, { cores: named, valuesOf }).rules.map(({ host }) => host);
}

function rowOfSettings(
  manifest: Manifest,
  entries: readonly Host[],
  uses: readonly HostUse[],
  host?: string,
): EgressRow {
  const titles = new Map(listSettings(manifest).map(({ name, title }) => [name, title]));
  const names = entries.map(({ setting = "" }) => `“${titles.get(setting) ?? setting}”`);
  return {
    ...(host === undefined ? { words: `The host entered in ${names.join(" or ")}` } : { host }),
    purpose: entries.map(({ purpose }) => purpose).join(" "),
    ...add(uses),
    ...{ among: [], isDeclared: true, isOptional: entries.every(({ optional = false }) => optional) },
  };
}

function anyHost(uses: readonly HostUse[], isCut: boolean): EgressRow {
  const used = uses.filter(isUsed);
  const counted = used.length === 0 ? "" : `: ${countHosts(used, isCut)} so far`;
  return inWords(`Any host on the internet${counted}`, used);
}

function inWords(words: string, uses: readonly HostUse[]): EgressRow {
  return { words, ...add(uses), among: [], isDeclared: true, isOptional: false };
}

function countHosts(uses: readonly HostUse[], isCut: boolean): string {
  const count = uses.length === 1 ? "1 host" : `${uses.length} hosts`;
  return isCut || uses.some(isOther) ? `more than ${count}` : count;
}

/** @param isAny the app may connect to any host */
function rowOf({ host, ...use }: HostUse, isAny: boolean): EgressRow {
  const isDeclared = isAny && isUsed(use);
  const common = { ...use, among: [], isDeclared, isOptional: false };
  if (host === "") return { words: "No host named", ...common };
  return host === OTHER_HOSTS ? { words: "All other hosts", ...common } : { host, ...common };
}

function add(uses: readonly HostUse[]): Omit<HostUse, "host"> {
  const total = (read: (use: HostUse) => number) => uses.reduce((sum, use) => sum + read(use), 0);
  const times = uses.flatMap(({ firstUsedAt, usedAt }) => [firstUsedAt ?? [], usedAt ?? []].flat()).sort();
  return {
    connections: total((use) => use.connections),
    bytesOut: total((use) => use.bytesOut),
    bytesIn: total((use) => use.bytesIn),
    refused: total((use) => use.refused),
    reason: uses.find(({ reason }) => reason !== null)?.reason ?? null,
    firstUsedAt: times.at(0) ?? null,
    usedAt: times.at(-1) ?? null,
  };
}

function listSome(uses: readonly HostUse[]): string[] {
  const names = uses.map(({ host }) => host);
  const more = names.length - MOST_AMONG;
  return more > 0 ? [...names.slice(0, MOST_AMONG), `${more} more`] : names;
}

function byRefusals(one: EgressRow, other: EgressRow): number {
  return other.refused - one.refused || other.connections - one.connections;
}

/** Used ones, the last used first; then declared ones, as the manifest lists them; then what was only tried, most often first. */
function sortByUse(rows: readonly EgressRow[]): EgressRow[] {
  const used = rows.filter(isUsed);
  const unused = rows.filter(({ usedAt }) => usedAt === null);
  return [
    ...used.toSorted((one, other) => ((one.usedAt ?? "") < (other.usedAt ?? "") ? 1 : -1)),
    ...unused.filter(({ isDeclared }) => isDeclared),
    ...unused.filter(({ isDeclared }) => !isDeclared).toSorted(byRefusals),
  ];
}

const BLIND: Record<Blindness, string> = {
  open: "This platform neither limits nor observes where its apps connect to.",
  process: "This app runs as a plain process, so nothing limits or observes where it connects to.",
  cluster: "This app runs in a cluster, where the platform doesn't observe which hosts it connects to.",
};

export function explainBlindness(blindness: Blindness): string {
  return BLIND[blindness];
}

/**
 * @param configured `PLATFORM_RUNTIME`
 * @param lastRuntime in which the app ran last; null if it never did
 */
export function findBlindness(
  enforcement: Enforcement,
  configured: string,
  lastRuntime: string | null,
): Blindness | null {
  if (lastRuntime === "process" || (lastRuntime === null && configured === "process")) return "process";
  // A cluster may have no guard, so one is believed only when a worker has said that it is there.
  if (lastRuntime === "kubernetes" || configured === "kubernetes")
    return enforcement === "guard" ? null : "cluster";
  return enforcement === "open" || enforcement === "none" ? "open" : null;
}
