import type { EgressWay } from "@/lib/contract/runtime/egress";
import type { IsolationPlace, IsolationView } from "@/lib/contract/runtime/isolation";

/** Something answered where nothing should, or nothing where the platform must. */
export function isAsExpected({ expected, tried }: Pick<IsolationPlace, "expected" | "tried">): boolean {
  const hasAnswered = tried.some(({ seen }) => seen === "answered");
  return hasAnswered === (expected === "reachable");
}

/** The addresses that answered. */
export function listReached({ tried }: Pick<IsolationPlace, "tried">): string[] {
  return tried.filter(({ seen }) => seen === "answered").map(({ address }) => address);
}

const SHOWN = 3;

/** Such as "192.0.2.2:22, 192.0.2.2:8080 and 4 more". */
export function shortenAddresses(addresses: readonly string[]): string {
  if (addresses.length <= SHOWN) return addresses.join(", ");
  return `${addresses.slice(0, SHOWN).join(", ")} and ${addresses.length - SHOWN} more`;
}

/** What to run, and the names of the places that it closes. Places of one machine are closed by the same commands. */
export function groupCommands(
  places: readonly IsolationPlace[],
): { names: string[]; commands: readonly string[] }[] {
  const groups = new Map<string, { names: string[]; commands: readonly string[] }>();
  for (const { name, commands } of places) {
    if (commands.length === 0) continue;
    const group = groups.get(commands.join()) ?? { names: [], commands };
    group.names.push(name);
    groups.set(commands.join(), group);
  }
  return [...groups.values()];
}

/** What keeps apps to the hosts that they declare, in a sentence or two. */
export function describeEgress(egress: EgressWay): string {
  return egress.way === "guard"
    ? "The egress guard keeps apps to the hosts that they declare."
    : `Nothing keeps apps to the hosts that they declare. ${egress.why}`;
}

/** The lines that the terminal shows. Empty if there is no result yet. */
export function describeIsolation(view: IsolationView, pageUrl: string): string[] {
  const { state, problem, egress } = view;
  // Of plain processes, the problem says it all.
  const ways = egress === null || egress.way === "none" ? [] : [describeEgress(egress)];
  if (state === "failed")
    return [
      `What apps can reach was not checked: ${problem ?? "the check ended without a result."}`,
      ...ways,
    ];
  return state === "checked" ? [...describePlaces(view, pageUrl), ...ways] : [];
}

function describePlaces({ places }: IsolationView, pageUrl: string): string[] {
  const unexpected = places.filter((place) => !isAsExpected(place));
  const open = unexpected.filter(({ expected }) => expected === "closed");
  const tried = places.reduce((sum, place) => sum + place.tried.length, 0);
  if (unexpected.length === 0)
    return [`Apps reach the state API, and nothing that is closed to them (${tried} addresses tried).`];
  const lines = unexpected
    .filter(({ expected }) => expected === "reachable")
    .map(({ name, tried: [first] }) => `Apps can't reach ${name} at ${first?.address}: ${first?.seen}.`);
  if (open.length === 0) return lines;
  const commands = groupCommands(open).flatMap((group) => group.commands);
  return [
    ...lines,
    `Apps can reach what should be closed to them (details: ${pageUrl}):`,
    ...open.map((place) => `  ${place.name}: ${shortenAddresses(listReached(place))}`),
    ...(commands.length === 0 ? [] : ["To close it:", ...commands.map((command) => `  ${command}`)]),
  ];
}

/** The firewall commands that close a place to apps. On Linux with Docker; see docs/isolation.md. */

/** A TCP listener that apps need. */
export interface Exception {
  /** An IPv4 address. */
  host: string;
  port: number;
}

export interface AppNetworks {
  /** The range of all apps' subnets, such as `10.213.0.0/16`. */
  subnets: string;
  /** Listeners of the engine's machine that apps need: the state API, and cores. */
  onThisMachine: readonly Exception[];
  /** Listeners elsewhere in private networks that apps need: cores, and a state API on another machine. */
  elsewhere: readonly Exception[];
}

export const LINK_LOCAL = ["169.254.0.0/16"] as const;
export const PRIVATE_RANGES = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"] as const;

/** Where clouds serve credentials and settings of their machines. */
export const METADATA = [
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "168.63.129.16",
  "fd00:ec2::254",
] as const;

/** Marks the rules, so that they can be found and removed. */
const RULE_COMMENT = "app-hosting-platform";
const MARK = `-m comment --comment ${RULE_COMMENT}`;

/** Containers resolve names at the machine's name server, which may have a private or link-local address. */
const DNS_PORT = 53;

/**
 * Connections from apps to this machine itself. The platform's own connections to apps keep working, because only new ones are
 * rejected.
 */
export function closeThisMachine({ subnets, onThisMachine }: AppNetworks): string[] {
  const ports = [...new Set([DNS_PORT, ...onThisMachine.map(({ port }) => port)])].sort((a, b) => a - b);
  const reject = (protocol: string, open: readonly number[]) =>
    `sudo iptables -I INPUT -s ${subnets} -p ${protocol} -m conntrack --ctstate NEW -m multiport ! --dports ${open.join(",")} ${MARK} -j REJECT`;
  return [reject("tcp", ports), reject("udp", [DNS_PORT])];
}

/**
 * The chain of connections that this machine forwards. Not DOCKER-USER: while Docker creates a network, it takes that chain and its
 * own isolation of networks out of use for a moment, and accepts what apps send. It never touches this table, which has no REJECT.
 */
const FORWARDED = "sudo iptables -t mangle -I FORWARD";

/** Connections from apps that this machine forwards to these ranges. A rule that is inserted later comes first. */
export function closeRanges({ subnets, elsewhere }: AppNetworks, ranges: readonly string[]): string[] {
  const drop = (protocol: string) =>
    `${FORWARDED} -s ${subnets} -d ${ranges.join(",")} -p ${protocol} -m conntrack --ctstate NEW -m multiport ! --dports ${DNS_PORT} ${MARK} -j DROP`;
  const keepOpen = ({ host, port }: Exception) =>
    `${FORWARDED} -s ${subnets} -d ${host} -p tcp --dport ${port} ${MARK} -j RETURN`;
  return [drop("tcp"), drop("udp"), ...elsewhere.map(keepOpen)];
}

/** One listener elsewhere, such as the database's. */
export function closeListener({ subnets }: AppNetworks, host: string, port: number): string[] {
  return [`${FORWARDED} -s ${subnets} -d ${host} -p tcp --dport ${port} ${MARK} -j DROP`];
}

/** Connections between apps, which the engine closes by itself unless its own rules are turned off. */
export function closeOtherApps({ subnets }: AppNetworks): string[] {
  return [`${FORWARDED} -s ${subnets} -d ${subnets} ${MARK} -j DROP`];
}
