/** Which hosts an app may connect to: what its manifest declares, and the cores of its customers. */
import type { Host } from "@/lib/contract/catalog/manifest";
import { DEFAULT_PORTS } from "@/lib/contract/platform/manifest-terms";
import type { AllowedHosts, HostRule } from "@/lib/contract/runtime/egress";
import { findHostProblem } from "../../catalog/manifest/hosts";

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Where a manifest without `hosts` leads: any host on the internet, on the web's ports. */
const ANY_HOST_PORTS = [HTTP_PORT, HTTPS_PORT];

interface Customers {
  /** URLs of the cores of tenants that use the app. */
  cores: readonly string[];
  /** What customers entered in a setting, for each setting that the manifest's hosts name. */
  valuesOf: (setting: string) => readonly string[];
}

/** @param hosts of the manifest; undefined for any host on the internet */
export function allowHosts(hosts: readonly Host[] | undefined, { cores, valuesOf }: Customers): AllowedHosts {
  const declared = (hosts ?? []).flatMap(({ host, setting, ports = DEFAULT_PORTS }): HostRule[] => {
    if (host !== undefined)
      return ports.map((port) => ({ host, port, tls: port !== HTTP_PORT, isCore: false }));
    return valuesOf(setting ?? "").flatMap((url) => ruleOf(url, false) ?? []);
  });
  return {
    anyHost: hosts === undefined,
    rules: [...declared, ...cores.flatMap((url) => ruleOf(url, true) ?? [])],
  };
}

/** Undefined for what is not the address of a host. A customer may enter a host without its protocol. */
function ruleOf(entered: string, isCore: boolean): HostRule | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(entered.trim()) ? entered.trim() : `https://${entered.trim()}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol)) return undefined;
  const tls = url.protocol === "https:";
  const host = url.hostname.replace(/\.$/, "");
  if (!isCore && findHostProblem(host) !== undefined) return undefined;
  return { host, port: Number(url.port || (tls ? HTTPS_PORT : HTTP_PORT)), tls, isCore };
}

/** All ports on which the guard must listen for the app. */
export function listPorts({ anyHost, rules }: AllowedHosts): number[] {
  const ports = new Set([...(anyHost ? ANY_HOST_PORTS : []), ...rules.map(({ port }) => port)]);
  return [...ports].sort((a, b) => a - b);
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
  // An app's own host never hides that the same host is a core.
  for (const rule of rules) if (rule.isCore) exact.set(keyOf(rule.host, rule.port, rule.tls), rule);
  const names = new Set(rules.map(({ host }) => host));
  const anyRule = (host: string, port: number, tls: boolean): HostRule | undefined =>
    anyHost && findHostProblem(host) === undefined && port === (tls ? HTTPS_PORT : HTTP_PORT)
      ? { host, port, tls, isCore: false }
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
