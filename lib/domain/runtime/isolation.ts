import type { Enforcement } from "@/lib/contract/catalog/rights";
import { parseJson } from "@/lib/contract/platform/problem";
import type { EgressWay } from "@/lib/contract/runtime/egress";
import type { IsolationPlace, IsolationView } from "@/lib/contract/runtime/isolation";

/** Something answered where nothing should, or nothing where the platform must. */
export function isAsExpected({ expected, tried }: Pick<IsolationPlace, "expected" | "tried">): boolean {
  const hasAnswered = tried.some(({ seen }) => seen === "answered");
  return hasAnswered === (expected === "reachable");
}

/** As long as an example app's move to a container takes. A process that runs longer stays one: the move failed, or the engine is gone. */
const MOVE_MS = 60_000;

interface ExampleApps {
  /** They move to containers, once an engine responds. */
  move: boolean;
  /** Says whether apps have an engine. */
  enforcement: Enforcement;
}

/**
 * Whether an example app is about to run in a container; undefined if that isn't known yet.
 * @param processSince since when it runs as a process; null before it is ready
 */
export function isMoving(
  { move, enforcement }: ExampleApps,
  processSince: Date | null,
  now = Date.now(),
): boolean | undefined {
  if (!move || (processSince !== null && now - processSince.getTime() > MOVE_MS)) return false;
  return enforcement === null ? undefined : enforcement !== "none";
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

interface CommandGroup {
  names: string[];
  commands: readonly string[];
  /** What they do with the places: all of a group are alike. */
  expected: IsolationPlace["expected"];
}

/** What to run, and the names of the places that it closes or opens. Places of one machine are closed by the same commands. */
export function groupCommands(places: readonly IsolationPlace[]): CommandGroup[] {
  const groups = new Map<string, CommandGroup>();
  for (const { name, commands, expected } of places) {
    if (commands.length === 0) continue;
    const group = groups.get(commands.join()) ?? { names: [], commands, expected };
    group.names.push(name);
    groups.set(commands.join(), group);
  }
  return [...groups.values()];
}

/** What keeps apps to the hosts that they declare, in a sentence or two. */
export function describeEgress(egress: EgressWay): string {
  return egress.way === "guard"
    ? "The egress guard limits apps to the hosts that they declare."
    : `Nothing limits apps to the hosts that they declare. ${egress.why}`;
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
    return [
      `Apps can reach the state API, and nothing that should be closed to them (${tried} addresses tried).`,
    ];
  const lines = unexpected
    .filter(({ expected }) => expected === "reachable")
    .flatMap(({ name, tried: [first], fix, commands }) => [
      `Apps can't reach ${name} at ${first?.address}: ${first?.seen}.${fix === undefined ? "" : ` ${fix}`}`,
      ...commands.map((command) => `  ${command}`),
    ]);
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

// An engine that was told to leave the firewall alone. Docker then neither translates the addresses of containers nor keeps networks apart.

/** Docker's own default. */
const CONFIG_FILE = "/etc/docker/daemon.json";

/** @param args of its process */
export function findEngineConfig(args: readonly string[]): string {
  const at = args.findIndex((arg) => /^--?config-file(?:=|$)/.test(arg));
  const [, value = args[at + 1]] = /=(.*)/.exec(args[at] ?? "") ?? [];
  return at < 0 || value === undefined ? CONFIG_FILE : value;
}

/**
 * Whether Docker was started with `--iptables=false`, or has `"iptables": false` in its settings.
 * @param args of its process
 * @param config the JSON text of its settings; empty if there are none
 */
export function leavesFirewallAlone(args: readonly string[], config: string): boolean {
  if (args.some((arg) => /^--?iptables=(?:false|f|0)$/i.test(arg))) return true;
  const settings = parseJson(config);
  return (
    typeof settings === "object" && settings !== null && "iptables" in settings && settings.iptables === false
  );
}

const LEFT_ALONE = "Docker writes no firewall rules on this machine (iptables is off in its settings)";
const TURN_ON =
  "Remove that setting (--iptables=false, or iptables in /etc/docker/daemon.json) and restart Docker";

/** Why containers get no answers from outside although this machine does. @param isLeftAlone undefined if that is not known */
export function explainNoWayOut(isLeftAlone: boolean | undefined): string {
  if (isLeftAlone === true)
    return `${LEFT_ALONE}, so nothing translates the addresses of containers, and no answers come back to them. ${TURN_ON}, or run the commands.`;
  return "This machine reaches them, and containers don't. Its firewall must forward what containers send, and translate their addresses, as the commands do. Docker sees to that unless it was started with --iptables=false.";
}

/** Why an app and the egress guard, which are in one network, can't reach each other. */
export function explainNoNeighbors(): string {
  return `If the gateway runs, this machine's own rules drop what containers of one network send each other. ${LEFT_ALONE}. ${TURN_ON}, or run the command.`;
}

/** Why apps can't look up names although the egress guard answers them. */
export function explainNoNames(): string {
  return "So apps find none of their hosts. They ask the container engine for names, and the engine must ask the guard. Docker 26.0.0 to 26.1.2 doesn't do that, nor do some releases of Docker 23.0 and 25.0. Update Docker, then check again.";
}

/** Where nothing could be tried. */
export function warnOfFirewall(): string {
  return `${LEFT_ALONE}. What its rules would do is up to you: see "An engine that writes no firewall rules" in docs/isolation.md.`;
}

/** What Docker's own rules do for apps: they get out, answers come back, and nobody else gets to them. A rule that is inserted later comes first. */
export function replaceEngineRules({ subnets }: Pick<AppNetworks, "subnets">): string[] {
  const toOthers = `-s ${subnets} ! -d ${subnets}`;
  const fromOthers = `! -s ${subnets} -d ${subnets}`;
  return [
    `sudo iptables -t nat -I POSTROUTING ${toOthers} ${MARK} -j MASQUERADE`,
    `sudo iptables -I FORWARD ${toOthers} ${MARK} -j ACCEPT`,
    `sudo iptables -I FORWARD ${fromOthers} -m conntrack --ctstate RELATED,ESTABLISHED ${MARK} -j ACCEPT`,
    `${FORWARDED} ${fromOthers} -m conntrack --ctstate NEW ${MARK} -j DROP`,
  ];
}

/** Within a network, and never from one to another. */
export function openNetworks({ subnets }: Pick<AppNetworks, "subnets">): string[] {
  return [
    `sudo iptables -I FORWARD -s ${subnets} -d ${subnets} -m physdev --physdev-is-bridged ${MARK} -j ACCEPT`,
  ];
}
