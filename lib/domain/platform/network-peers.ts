/** What apps reach in a cluster, or what reaches them. */
export interface Peer {
  /** Addresses, or the Pods with a label in a namespace. */
  to: { cidr: string } | { namespace: string; label: { name: string; value: string } };
  /** Undefined: all. */
  port?: number;
}

const BYTE = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
const ADDRESS = new RegExp(`^((?:${BYTE}\\.){3}${BYTE})(/(?:3[0-2]|[12]?\\d))?$`);
const PODS = /^([a-z0-9-]+)\/([\w./-]+)=([\w.-]+)$/;

/**
 * Comma-separated peers: `10.1.2.0/24`, `10.1.2.3:443`, or `<namespace>/<label>=<value>:<port>`. Undefined if it isn't such a list.
 */
export function parsePeers(list: string): Peer[] | undefined {
  const entries = list.split(",").map((entry) => entry.trim());
  const peers = entries.filter((entry) => entry !== "").map(parsePeer);
  return peers.every((peer) => peer !== undefined) ? peers : undefined;
}

function parsePeer(entry: string): Peer | undefined {
  const [, place = entry, digits] = /^(.*):(\d{1,5})$/.exec(entry) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  if (port !== undefined && (port < 1 || port > 65_535)) return undefined;
  const to = parsePlace(place);
  return to && { to, ...(port !== undefined && { port }) };
}

function parsePlace(place: string): Peer["to"] | undefined {
  const [, address, range] = ADDRESS.exec(place) ?? [];
  if (address !== undefined) return { cidr: address + (range ?? "/32") };
  const [, namespace, name, value] = PODS.exec(place) ?? [];
  if (namespace === undefined || name === undefined || value === undefined) return undefined;
  return { namespace, label: { name, value } };
}
