/** What an app may do in the core and where it may send data: what its customers agree to. */
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import type { HostRight, RightsView } from "@/lib/contract/catalog/rights";
import { DEFAULT_PORTS, listSettings } from "@/lib/contract/platform/manifest-terms";

/** In the manifest's order. */
export function viewRights(manifest: Manifest): RightsView {
  const titles = new Map(listSettings(manifest).map(({ name, title }) => [name, title]));
  return {
    permissions: (manifest.core?.permissions ?? []).map(({ name, purpose }) => ({ name, purpose })),
    hosts: manifest.core?.hosts?.map((host) => viewHost(host, titles)) ?? null,
  };
}

function viewHost(declared: Host, titles: ReadonlyMap<string, string>): HostRight {
  const { host, setting, ports = DEFAULT_PORTS, purpose, optional = false } = declared;
  if (host === undefined)
    return { setting: titles.get(setting ?? "") ?? setting ?? "", ports: [], purpose, optional };
  return { host, ports: [...ports].sort((a, b) => a - b), purpose, optional };
}

/** The name of a right, the same in two versions that ask for the same. Purposes can change without a question. */
function nameHost({ host, setting, ports }: HostRight): string {
  return host === undefined ? `setting ${setting}` : `${host} ${ports.join(" ")}`;
}

interface RightsChange {
  /** What customers agreed to neither before nor otherwise. `hosts` is null if any host is new. */
  added: RightsView;
  /** Names of permissions and hosts that it no longer asks for. */
  removed: string[];
  /** Whether the customer must be asked. */
  isMore: boolean;
}

/** What another version asks for. A permission or port more is more; a host that moves to another place in the list is not. */
export function compareRights(before: Manifest, after: Manifest): RightsChange {
  const [one, other] = [viewRights(before), viewRights(after)];
  const had = new Set(one.permissions.map(({ name }) => name));
  const has = new Set(other.permissions.map(({ name }) => name));
  const permissions = other.permissions.filter(({ name }) => !had.has(name));
  const hosts = addedHosts(one.hosts, other.hosts);
  const kept = new Set((other.hosts ?? []).map(nameHost));
  return {
    added: { permissions, hosts },
    removed: [
      ...[...had].filter((name) => !has.has(name)),
      ...(other.hosts === null ? [] : one.hosts === null ? ["any host on the internet"] : []),
      ...(other.hosts === null
        ? []
        : (one.hosts ?? []).filter((host) => !kept.has(nameHost(host))).map(sayHost)),
    ],
    isMore: permissions.length > 0 || hosts === null || hosts.length > 0,
  };
}

function addedHosts(before: HostRight[] | null, after: HostRight[] | null): HostRight[] | null {
  if (before === null) return [];
  if (after === null) return null;
  const had = new Set(before.map(nameHost));
  return after.filter((host) => !had.has(nameHost(host)));
}

/** `api.vin.example`, `api.vin.example (ports 443 and 8443)`, or whose host it is. */
export function sayHost({ host, setting, ports }: HostRight): string {
  if (host === undefined) return `the host that you enter in “${setting}”`;
  const isUsual =
    ports.length === DEFAULT_PORTS.length && ports.every((port) => DEFAULT_PORTS.includes(port));
  if (isUsual) return host;
  const last = ports.at(-1);
  return ports.length === 1
    ? `${host} (port ${last})`
    : `${host} (ports ${ports.slice(0, -1).join(", ")} and ${last})`;
}

/**
 * The `scope` of the tokens that customers of this version agree to (RFC 8693, section 4.2); null for a manifest that says nothing about
 * permissions, whose tokens have none, as before there were permissions.
 */
export function scopeOf(manifest: Manifest): string | null {
  return manifest.core?.permissions?.map(({ name }) => name).join(" ") ?? null;
}
