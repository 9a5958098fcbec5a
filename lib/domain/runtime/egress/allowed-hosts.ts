/** Which hosts an app may connect to: what its manifest declares, and the cores of its customers. */
import type { Host } from "@/lib/contract/catalog/manifest";
import { DEFAULT_PORTS } from "@/lib/contract/platform/manifest-terms";
import type { AllowedHosts, HostRule } from "@/lib/contract/runtime/egress";
import { findHostProblem } from "../../catalog/manifest/hosts";
import { looksLikeNamedAddress, nameAddress, RESERVED_PORTS } from "../../platform/guarded-app";

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Where programs try hosts that no rule allows: so that this is refused with a reason and counted, and not just closed. */
const WATCHED_PORTS = [HTTP_PORT, HTTPS_PORT, 8_080, 8_443];

interface Customers {
  /** Of the tenants that use the app. */
  cores: readonly CoreHost[];
  /** What customers entered in a setting, for each setting that the manifest's hosts name. */
  valuesOf: (setting: string) => readonly string[];
}

interface CoreHost {
  url: string;
  /** Whether the platform itself would connect to it in a private network. */
  mayBePrivate: boolean;
}

/** @param hosts of the manifest; undefined for any host on the internet */
export function allowHosts(hosts: readonly Host[] | undefined, { cores, valuesOf }: Customers): AllowedHosts {
  const declared = (hosts ?? []).flatMap(({ host, setting, ports = DEFAULT_PORTS }): HostRule[] => {
    if (host !== undefined)
      return ports.map((port) => ({
        ...{ host, port, tls: port !== HTTP_PORT },
        ...{ isCore: false, mayBePrivate: false },
      }));
    return valuesOf(setting ?? "").flatMap((entered) => ruleOfSetting(entered) ?? []);
  });
  const rules = [...declared, ...cores.flatMap((core) => ruleOfCore(core) ?? [])];
  // Many customers may have the same host.
  const distinct = new Map(rules.map((rule) => [JSON.stringify(rule), rule]));
  return { anyHost: hosts === undefined, rules: [...distinct.values()] };
}

/** Undefined for what is not the address of one public host. A customer may enter a host without its protocol. */
function ruleOfSetting(entered: string): HostRule | undefined {
  const text = entered.trim();
  const place = placeOf(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (place === undefined || findHostProblem(place.host) !== undefined) return undefined;
  // A manifest may declare all hosts below a name. A customer enters one.
  if (normalizeName(place.host) === undefined) return undefined;
  return { ...place, isCore: false, mayBePrivate: false };
}

function ruleOfCore({ url, mayBePrivate }: CoreHost): HostRule | undefined {
  const place = placeOf(url);
  if (place === undefined) return undefined;
  const { host, port, tls } = place;
  const named = nameAddress(host, tls);
  if (named !== undefined) {
    const { name, address } = named;
    const secured = tls ? { isSecured: true } : {};
    return { host: name, port, tls: false, isCore: true, mayBePrivate, address, ...secured };
  }
  // Only an address has such a name.
  if (looksLikeNamedAddress(host) || normalizeName(host) === undefined) return undefined;
  return { ...place, isCore: true, mayBePrivate };
}

function placeOf(text: string): Pick<HostRule, "host" | "port" | "tls"> | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return undefined;
  const tls = url.protocol === "https:";
  const host = url.hostname.replace(/\.$/, "");
  return { host, port: Number(url.port || (tls ? HTTPS_PORT : HTTP_PORT)), tls };
}

/** All ports on which the guard listens for the app. A customer's core may have one that the guard needs itself. */
export function listPorts({ rules }: Pick<AllowedHosts, "rules">): number[] {
  const ports = new Set([...WATCHED_PORTS, ...rules.map(({ port }) => port)]);
  return [...ports].filter((port) => !RESERVED_PORTS.includes(port)).sort((a, b) => a - b);
}

export interface HostFinder {
  /** The rule that allows this connection. */
  find(name: string, port: number, tls: boolean): HostRule | undefined;
  /** Whether the name leads anywhere, on any port. */
  knows(name: string): boolean;
}

/** Takes a moment for a thousand rules, and none for a look-up. */
export function createFinder({ anyHost, rules }: AllowedHosts): HostFinder {
  const exact = new Map(rules.map((rule) => [keyOf(rule.host, rule.port, rule.tls), rule]));
  // An app's own host never hides that the same host is a core, nor another customer's that it may be private.
  for (const marked of ["isCore", "mayBePrivate"] as const)
    for (const rule of rules) if (rule[marked]) exact.set(keyOf(rule.host, rule.port, rule.tls), rule);
  const names = new Set(rules.map(({ host }) => host));
  const anyRule = (host: string, port: number, tls: boolean): HostRule | undefined =>
    anyHost && findHostProblem(host) === undefined && port === (tls ? HTTPS_PORT : HTTP_PORT)
      ? { host, port, tls, isCore: false, mayBePrivate: false }
      : undefined;
  return {
    find: (name, port, tls) => {
      for (const covering of coveringNames(name)) {
        const rule = exact.get(keyOf(covering, port, tls));
        if (rule !== undefined) return rule;
      }
      return anyRule(name, port, tls);
    },
    knows: (name) =>
      coveringNames(name).some((covering) => names.has(covering)) ||
      (anyHost && findHostProblem(name) === undefined),
  };
}

const keyOf = (host: string, port: number, tls: boolean) => `${host} ${port} ${tls ? "tls" : "http"}`;

/** `a.b.example` → `a.b.example`, `*.b.example`, `*.example`. */
function coveringNames(name: string): string[] {
  const labels = name.split(".");
  return [name, ...labels.slice(1).map((_, index) => `*.${labels.slice(index + 1).join(".")}`)];
}

const LONGEST_NAME = 253;
const NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * A name as an app sent it, in the form that rules have: small letters, no dot at the end. Undefined if it isn't a name, or is an
 * address in any form that somebody could read.
 */
export function normalizeName(sent: string): string | undefined {
  if (sent.length > LONGEST_NAME + 1) return undefined;
  const name = sent.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, "");
  if (name.length > LONGEST_NAME || !NAME.test(name)) return undefined;
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name) ? undefined : name;
}
