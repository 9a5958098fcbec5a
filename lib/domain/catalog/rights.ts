/** What an app may do in the core and where it may send data: what its customers agree to. */
import type { Host, Manifest } from "@/lib/contract/catalog/manifest";
import type { HostRight, RightsView } from "@/lib/contract/catalog/rights";
import { DEFAULT_PORTS, listSettings } from "@/lib/contract/platform/manifest-terms";
import { coversHost } from "./manifest/hosts";

/** In the manifest's order. */
export function viewRights(manifest: Manifest): RightsView {
  const titles = new Map(listSettings(manifest).map(({ name, title }) => [name, title]));
  return {
    permissions: manifest.core?.permissions?.map(({ name, purpose }) => ({ name, purpose })) ?? null,
    hosts: manifest.core?.hosts?.map((host) => viewHost(host, titles)) ?? null,
  };
}

function viewHost(declared: Host, titles: ReadonlyMap<string, string>): HostRight {
  const { host, setting, ports = DEFAULT_PORTS, purpose, optional = false } = declared;
  if (host === undefined)
    return { setting: titles.get(setting ?? "") ?? setting ?? "", ports: [], purpose, optional };
  return { host, ports: [...ports].sort((a, b) => a - b), purpose, optional };
}

/** The hosts that an organization may refuse: the app says that it works without them. A setting's host is refused by leaving it empty. */
export function listOptionalHosts({ core }: Pick<Manifest, "core">): { host: string; purpose: string }[] {
  return (core?.hosts ?? []).flatMap(({ host, purpose, optional = false }) =>
    host !== undefined && optional ? [{ host, purpose }] : [],
  );
}

/** What is left of a manifest for those who refused these hosts. One that the app can't do without stays. */
export function withoutRefused(manifest: Manifest, refused: readonly string[]): Manifest {
  if (refused.length === 0) return manifest;
  const isRefused = ({ host, optional = false }: Host) =>
    host !== undefined && optional && refused.includes(host);
  return withHosts(
    manifest,
    manifest.core?.hosts?.filter((host) => !isRefused(host)),
  );
}

/** The optional hosts that the platform blocks if all customers refused these: nothing else of the manifest opens them. */
export function listBlocked(manifest: Manifest, refusedByAll: readonly string[]): string[] {
  const left = withoutRefused(manifest, refusedByAll).core?.hosts ?? [];
  return listOptionalHosts(manifest)
    .map(({ host }) => host)
    .filter(
      (host) =>
        refusedByAll.includes(host) &&
        !left.some((other) => other.host !== undefined && coversHost(other.host, host)),
    );
}

interface RightsChange {
  /** What customers agreed to neither before nor otherwise. A list is null if having no list is new. */
  added: RightsView;
  /** What it no longer asks for: names of permissions and hosts, or words for having no list. */
  removed: string[];
  /** Whether the customer must be asked. */
  isMore: boolean;
}

/**
 * What another version asks for. Another permission, host or port counts as more, and so does a list that was dropped. What was allowed
 * already doesn't, such as a host below `*.example.com`, nor does another purpose, title or place in its list. A list of permissions where
 * there was none is both more and less: cores decide what they allow without one.
 * @param refused optional hosts that the customer refused: needing one of them is more
 */
export function compareRights(from: Manifest, to: Manifest, refused: readonly string[] = []): RightsChange {
  const [before, after] = [withoutRefused(from, refused), withoutRefused(to, refused)];
  const permissions = newPermissions(before, after);
  const hosts = newHosts(before, after);
  const dropped = after.core?.permissions === undefined ? [] : newPermissions(after, before);
  return {
    added: { permissions, hosts },
    removed: [
      ...(dropped?.map(({ name }) => name) ?? [ANY_PERMISSION]),
      ...(newHosts(after, before)?.map(sayHost) ?? ["the right to connect to any host on the internet"]),
    ],
    isMore: permissions?.length !== 0 || hosts?.length !== 0,
  };
}

/** What a manifest without `permissions` asks for. */
export const ANY_PERMISSION = "whatever your core allows apps that list no permissions";

/** The permissions of the second that the first doesn't have; null if only the second has no list. */
function newPermissions(first: Manifest, second: Manifest): RightsView["permissions"] {
  const known = first.core?.permissions;
  const { permissions } = viewRights(second);
  if (permissions === null) return known === undefined ? [] : null;
  return permissions.filter(({ name }) => !known?.some((each) => each.name === name));
}

/** What the second allows and the first does not; null if that is any host. */
function newHosts(first: Manifest, second: Manifest): HostRight[] | null {
  const known = first.core?.hosts;
  if (known === undefined) return [];
  return viewRights(
    withHosts(
      second,
      second.core?.hosts?.flatMap((host) => newPorts(known, host)),
    ),
  ).hosts;
}

function withHosts(manifest: Manifest, hosts: Host[] | undefined): Manifest {
  return { ...manifest, core: { ...manifest.core, hosts } };
}

/** The host with the ports that `known` doesn't allow; nothing if it allows all of them. */
function newPorts(known: readonly Host[], declared: Host): Host[] {
  const { host, setting, ports = DEFAULT_PORTS } = declared;
  if (host === undefined) return known.some((each) => each.setting === setting) ? [] : [declared];
  const isKnown = (port: number) =>
    known.some(
      (each) =>
        each.host !== undefined &&
        coversHost(each.host, host) &&
        (each.ports ?? DEFAULT_PORTS).includes(port),
    );
  const fresh = ports.filter((port) => !isKnown(port));
  return fresh.length === 0 ? [] : [{ ...declared, ports: fresh }];
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

/** The customer has not answered whether the new version may do more. */
export const NOT_AGREED = {
  code: "rights-agree",
  pointer: "/agree",
  message: "Agree to what the new version may do, or keep the current one.",
} as const;

/**
 * The `scope` of the tokens that customers of this version agree to (RFC 8693, section 4.2); null for a manifest that says nothing about
 * permissions, whose tokens have none, as before there were permissions.
 */
export function scopeOf(manifest: Manifest): string | null {
  return manifest.core?.permissions?.map(({ name }) => name).join(" ") ?? null;
}
