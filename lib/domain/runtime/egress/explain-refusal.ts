import type { Host } from "@/lib/contract/catalog/manifest";
import { DEFAULT_PORTS } from "@/lib/contract/platform/manifest-terms";
import { OTHER_HOSTS } from "./egress-limits";
import { GUARD_PORTS } from "../../platform/guarded-app";
import { coversHost, findHostProblem } from "../../catalog/manifest/hosts";

interface RefusedAttempt {
  host: string;
  port: number;
  /** Completes "The host …", or "The app …" if no host was named. */
  reason: string;
}

/** In place of its name. */
export const CUSTOMERS_HOST = "a customer's own host";

/** Of name servers: which port of the host the app wants is not known yet. */
const NAME_PORT = GUARD_PORTS.names;
const WEB_PORTS = [80, 443];

/**
 * Why an app could not connect to a host, and the line of the manifest that would allow it, if one would.
 * @param hosts that its version declares; undefined for any host
 * @param isCustomers the host is known from a customer, whom nobody else may recognize
 */
export function explainRefusal(
  { host, port, reason }: RefusedAttempt,
  hosts: readonly Host[] | undefined,
  isCustomers = false,
): string {
  if (isCustomers) return `A connection to ${CUSTOMERS_HOST} was refused: it ${reason}.`;
  if (host === "") return `A connection was refused: the app ${reason}.`;
  if (host === OTHER_HOSTS)
    return `Connections to many other hosts were refused, the last one because the host ${reason}. They are counted together.`;
  return [`A connection to ${host} was refused: it ${reason}.`, adviseHost(host, port, hosts)]
    .filter(Boolean)
    .join(" ");
}

function adviseHost(host: string, port: number, hosts: readonly Host[] | undefined): string {
  if (findHostProblem(host) !== undefined) return "A manifest can't name this host.";
  if (hosts === undefined)
    return port === NAME_PORT || WEB_PORTS.includes(port)
      ? ""
      : "An app whose manifest lists no hosts connects only to ports 80 and 443. List its hosts in core.hosts, with their ports.";
  const covering = hosts.filter((each) => each.host !== undefined && coversHost(each.host, host));
  const ports = covering.flatMap((each) => each.ports ?? DEFAULT_PORTS);
  if (covering.length > 0 && (port === NAME_PORT || ports.includes(port))) return "";
  const [same] = covering;
  const all = [
    ...new Set([
      ...(port === NAME_PORT ? DEFAULT_PORTS : [port]),
      ...(same?.ports ?? (same && DEFAULT_PORTS) ?? []),
    ]),
  ];
  const isUsual = all.length === DEFAULT_PORTS.length && all.every((each) => DEFAULT_PORTS.includes(each));
  const line = {
    host: same?.host ?? host,
    ...(isUsual ? {} : { ports: all.sort((one, other) => one - other) }),
    purpose: same?.purpose ?? "Why the app needs it",
  };
  const verb = same === undefined ? "add this to" : "change it in";
  return `To allow it, ${verb} core.hosts of the manifest: ${JSON.stringify(line)}`;
}
