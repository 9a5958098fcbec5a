import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { connect, isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { Problem } from "@/lib/contract/platform/problem";
import type { EgressWay } from "@/lib/contract/runtime/egress";
import type { IsolationPlace } from "@/lib/contract/runtime/isolation";
import { STATE_NAME } from "@/lib/domain/platform/guarded-app";
import {
  type AppNetworks,
  closeListener,
  closeOtherApps,
  closeRanges,
  closeThisMachine,
  describeIsolation,
  type Exception,
  explainNoNames,
  explainNoNeighbors,
  explainNoWayOut,
  isAsExpected,
  LINK_LOCAL,
  METADATA,
  openNetworks,
  PRIVATE_RANGES,
  replaceEngineRules,
  warnOfFirewall,
} from "@/lib/domain/runtime/isolation";
import type { Environment } from "../platform/environment";
import type { Platform } from "../platform/platform";
import type { Runtimes } from "./engines/choose-runtime";
import { readFirewallSetting, readListeners } from "./engines/docker-engine";
import { InstanceFailure, NEIGHBOR, NETWORK_GATEWAY, type ProbeTarget } from "./engines/runtime";
import { readIsolation } from "./isolation";
import * as queries from "./isolation-queries";

/**
 * Runs checks that were requested. Requests one itself when the worker starts, and when containers get another way to the
 * state API. Call it every few seconds, and once at a time.
 */
export function createIsolationChecker(platform: Platform, runtimes: Runtimes): () => Promise<void> {
  let checkedStateApi: string | undefined;
  return async () => {
    const { PLATFORM_STATE_API_CONTAINER: stateApi } = platform.environment;
    if (checkedStateApi !== stateApi) await queries.request(platform.db);
    checkedStateApi = stateApi;
    if (await queries.claim(platform.db)) await checkIsolation(platform, runtimes);
  };
}

const NO_APPS = "No app can run, so there is nothing to check.";
const NO_ISOLATION =
  "Apps run as plain processes without isolation, because no container engine is used. They can reach everything that this machine can.";
const NOT_IN_CLUSTERS =
  "Apps run in a cluster, whose network policies limit what they reach. Check them with `helm test`: see docs/kubernetes.md.";

/** Checks what apps can reach, and stores the result. */
export async function checkIsolation(platform: Platform, runtimes: Runtimes): Promise<void> {
  const startedAt = performance.now();
  const egress = await findEgressWay(runtimes).catch(() => null);
  const firewall = { isLeftAlone: await readFirewallSetting(), isGuarded: egress?.way === "guard" };
  const result = await probe(platform, runtimes, firewall).catch((error: unknown) =>
    explain(platform, error),
  );
  await queries.end(platform.db, {
    problem: null,
    places: [],
    egress,
    ...result,
    durationMs: Math.round(performance.now() - startedAt),
  });
  const lines = describeIsolation(await readIsolation(platform), getPageUrl(platform));
  const isTried = "places" in result && result.places.some(({ name }) => name === OUTSIDE);
  if (firewall.isLeftAlone === true && !isTried) lines.push(warnOfFirewall());
  const isGood =
    egress?.way === "guard" &&
    "places" in result &&
    result.places.every(isAsExpected) &&
    (isTried || firewall.isLeftAlone !== true);
  if (isGood) platform.log.info(lines.join("\n"));
  else platform.log.warn(lines.join("\n"));
}

async function findEgressWay(runtimes: Runtimes): Promise<EgressWay | null> {
  const isolating = await runtimes.findIsolating();
  if (isolating?.egressWay !== undefined) return isolating.egressWay();
  const described = await runtimes.describe();
  const runsProcesses = described.some(({ isolates, unavailable }) => !isolates && unavailable === undefined);
  return runsProcesses ? { way: "none", why: NO_ISOLATION } : null;
}

export function getPageUrl({ environment }: Platform): string {
  return new URL("/moderation/isolation", environment.PLATFORM_WEB_URL).href;
}

/** What the engine does with the firewall; undefined if that is not known. */
interface Firewall {
  isLeftAlone: boolean | undefined;
  isGuarded: boolean;
}

async function probe(
  { db, environment }: Platform,
  runtimes: Runtimes,
  firewall: Firewall,
): Promise<{ places: IsolationPlace[] }> {
  const runtime = await runtimes.findIsolating();
  if (runtime?.probe === undefined)
    throw new InstanceFailure("RUNTIME_NOT_AVAILABLE", await explainNoProbe(runtimes));
  const places = await listPlaces(environment, await queries.selectCores(db), firewall);
  const results = await runtime.probe(places.flatMap(({ targets }) => targets));
  let next = 0;
  return {
    places: places.map(({ name, expected, targets, commands, fix }) => {
      const tried = results.slice(next, (next += targets.length));
      if (isAsExpected({ expected, tried })) return { name, expected, tried, commands: [] };
      return { name, expected, tried, commands, ...(fix !== undefined && { fix }) };
    }),
  };
}

async function explainNoProbe(runtimes: Runtimes): Promise<string> {
  if (runtimes.all.some(({ name }) => name === "kubernetes")) return NOT_IN_CLUSTERS;
  const described = await runtimes.describe();
  if (described.some(({ unavailable }) => unavailable === undefined)) return NO_ISOLATION;
  // In production, nothing runs as a process.
  const why = described.find(({ isolates }) => isolates)?.unavailable;
  return why === undefined ? NO_APPS : `${NO_APPS} ${why}`;
}

function explain({ log }: Platform, error: unknown): { problem: string } {
  if (error instanceof Problem) return { problem: error.detail };
  log.error({ err: error }, "what apps can reach could not be checked");
  return { problem: "An error in the platform ended the check. The worker's log shows the cause." };
}

// What the check tries: everything on this machine and in its networks that apps have no business with.

interface PlaceToTry extends Pick<IsolationPlace, "name" | "expected" | "fix"> {
  targets: ProbeTarget[];
  /** What closes it if something answers. */
  commands: string[];
}

/** While the platform starts, the gateway may not listen yet. */
const STATE_RETRY_MS = 8_000;
const MOST_PORTS = 64;
const ENGINE_PORTS = [2375, 2376];
const HTTP_PORTS = [80, 443];
/** The usual addresses of routers, which have an administration page. */
const ROUTERS = ["10.0.0.1", "172.16.0.1", "192.168.0.1", "192.168.1.1"];
const METADATA_PORT = 80;
const DNS_PORT = 53;
/** As for what is tried from inside. */
const CONNECT_MS = 500;
/** The resolver of systemd keeps its own servers there. */
const RESOLVERS = ["/run/systemd/resolve/resolv.conf", "/etc/resolv.conf"];

const OUTSIDE = "name servers outside";

/** @param cores origins of cores that apps call, which may be on this machine or in a private network */
async function listPlaces(
  environment: Environment,
  cores: readonly string[],
  { isLeftAlone, isGuarded }: Firewall,
): Promise<PlaceToTry[]> {
  const own = listOwnAddresses(environment.PLATFORM_APP_SUBNETS);
  const stateApi = new URL(environment.PLATFORM_STATE_API_CONTAINER || environment.PLATFORM_GATEWAY_URL);
  const { PLATFORM_SANDBOX_CORE_URL: sandboxCore } = environment;
  const needed = await resolveAll([stateApi.origin, ...cores, sandboxCore].filter((url) => url !== ""));
  const stateListen = readHost(environment.PLATFORM_STATE_LISTEN);
  const isHere = (host: string) => own.includes(host) || host === stateListen || isLoopback(host);
  const networks: AppNetworks = {
    subnets: environment.PLATFORM_APP_SUBNETS,
    onThisMachine: needed.filter(({ host }) => isHere(host)),
    elsewhere: needed.filter(({ host }) => !isHere(host) && isPrivate(host)),
  };
  const here = [...new Set([NETWORK_GATEWAY, stateListen, ...own])].filter((host) => host !== "");
  const onThisMachine = (name: string, ports: readonly number[]): PlaceToTry => ({
    name,
    expected: "closed",
    commands: closeThisMachine(networks),
    targets: here.flatMap((host) => ports.map((port) => ({ host, port }))),
  });

  const database = new URL(environment.DATABASE_URL);
  const databasePort = Number(database.port || 5432);
  const databaseHost = await resolve(database.hostname);
  const named = [databasePort, environment.PLATFORM_WEB_PORT, environment.PLATFORM_GATEWAY_PORT];
  const left = new Set([...named, ...ENGINE_PORTS, ...networks.onThisMachine.map(({ port }) => port)]);
  const open = (await listPorts()).filter((port) => !left.has(port));
  const others = open.slice(0, MOST_PORTS);
  const some = others.length < open.length ? ` (the first ${others.length} of ${open.length} ports)` : "";
  const privateHosts = await listPrivateHosts();
  const nameServers = await listNameServers(isHere);
  // An app and the guard are in one network, and nothing but the machine's firewall keeps them from each other.
  const isDropped = isGuarded && isLeftAlone === true;

  return [
    {
      name: "the state API",
      expected: "reachable",
      targets: [
        {
          host: stateApi.hostname,
          port: readPort(stateApi),
          path: "/health",
          retryMs: STATE_RETRY_MS,
          isStateApi: true,
        },
      ],
      ...(isDropped ? { commands: openNetworks(networks), fix: explainNoNeighbors() } : { commands: [] }),
    },
    ...(isGuarded
      ? [
          {
            name: "the name server of the egress guard",
            expected: "reachable" as const,
            targets: [{ host: STATE_NAME, port: DNS_PORT, isName: true, retryMs: STATE_RETRY_MS }],
            commands: [],
            fix: explainNoNames(),
          },
        ]
      : []),
    ...(nameServers.length === 0
      ? []
      : [
          {
            name: OUTSIDE,
            expected: "reachable" as const,
            targets: nameServers.map((host) => ({ host, port: DNS_PORT, isOutside: true })),
            commands: replaceEngineRules(networks),
            fix: explainNoWayOut(isLeftAlone),
          },
        ]),
    {
      name: "link-local and metadata addresses",
      expected: "closed",
      targets: METADATA.map((host) => ({ host, port: METADATA_PORT })),
      commands: closeRanges({ ...networks, elsewhere: [] }, [...LINK_LOCAL, ...METADATA.filter(isOutside)]),
    },
    databaseHost === undefined || isHere(databaseHost)
      ? onThisMachine("the database", [databasePort])
      : {
          name: "the database",
          expected: "closed",
          targets: [{ host: databaseHost, port: databasePort }],
          commands: closeListener(networks, databaseHost, databasePort),
        },
    onThisMachine("the web pages", [environment.PLATFORM_WEB_PORT]),
    onThisMachine("the gateway", [environment.PLATFORM_GATEWAY_PORT]),
    onThisMachine("the container engine", ENGINE_PORTS),
    {
      name: "other apps",
      expected: "closed",
      targets: [{ host: NEIGHBOR, port: 0 }],
      commands: closeOtherApps(networks),
    },
    onThisMachine(`other programs on this machine${some}`, others),
    {
      name: "private networks",
      expected: "closed",
      targets: privateHosts.flatMap((host) => HTTP_PORTS.map((port) => ({ host, port }))),
      commands: closeRanges(networks, PRIVATE_RANGES),
    },
  ];
}

/** This machine's addresses on its networks. Those of the apps' own networks come and go. */
function listOwnAddresses(appSubnets: string): string[] {
  const apps = ipaddr.IPv4.parseCIDR(appSubnets);
  return Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family, internal, address }) => family === "IPv4" && !internal && !isIn(address, apps))
    .map(({ address }) => address);
}

const isIn = (address: string, [base, prefix]: [ipaddr.IPv4, number]) =>
  ipaddr.IPv4.parse(address).match(base, prefix);

const isLoopback = (host: string) => isIPv4(host) && ipaddr.IPv4.parse(host).range() === "loopback";

const isPrivate = (host: string) =>
  PRIVATE_RANGES.some((range) => isIPv4(host) && isIn(host, ipaddr.IPv4.parseCIDR(range)));

const isOutside = (host: string) =>
  isIPv4(host) && !LINK_LOCAL.some((range) => isIn(host, ipaddr.IPv4.parseCIDR(range)));

/** Ports on which something of this machine listens on more than the loopback. */
async function listPorts(): Promise<number[]> {
  const listeners = (await readListeners(process.pid)) ?? [];
  const ports = listeners.filter(({ loopback }) => !loopback).map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/** This machine's router, and the usual addresses of others. */
async function listPrivateHosts(): Promise<string[]> {
  const router = await readRouter();
  return [...new Set(router !== undefined && isPrivate(router) ? [router, ...ROUTERS] : ROUTERS)];
}

/** Name servers elsewhere that this machine itself reaches over TCP. Most answer there, and a container that can't reach them has no way out. */
async function listNameServers(isHere: (host: string) => boolean): Promise<string[]> {
  const texts = await Promise.all(RESOLVERS.map((file) => readFile(file, "utf8").catch(() => "")));
  const named = texts.flatMap((text) =>
    [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, host = ""]) => host),
  );
  const elsewhere = [...new Set(named)].filter((host) => isIPv4(host) && !isHere(host));
  const answers = await Promise.all(elsewhere.map((host) => accepts(host, DNS_PORT)));
  return elsewhere.filter((_, index) => answers[index]);
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (isAccepted: boolean) => {
      socket.destroy();
      resolve(isAccepted);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}

/** The router of the default route, whose row is `interface destination gateway …` in the machine's byte order. */
async function readRouter(): Promise<string | undefined> {
  const table = await readFile("/proc/net/route", "utf8").catch(() => "");
  const rows = table.split("\n").map((row) => row.split("\t"));
  const [, , gateway] = rows.find(([, destination]) => destination === "00000000") ?? [];
  if (gateway === undefined) return undefined;
  return [...Buffer.from(gateway, "hex")].reverse().join(".");
}

/** Names that are looked up at a time: a platform may have thousands of tenants, each with a core. */
const AT_ONCE = 100;

async function resolveAll(origins: readonly string[]): Promise<Exception[]> {
  const distinct = new Map<string, Exception>();
  for (let from = 0; from < origins.length; from += AT_ONCE) {
    const resolved = origins.slice(from, from + AT_ONCE).map(async (origin) => {
      const url = new URL(origin);
      return { host: await resolve(url.hostname), port: readPort(url) };
    });
    for (const { host, port } of await Promise.all(resolved))
      if (host !== undefined) distinct.set(`${host} ${port}`, { host, port });
  }
  return [...distinct.values()];
}

/** Undefined for names that only containers know. */
async function resolve(hostname: string): Promise<string | undefined> {
  return lookup(hostname, { family: 4 }).then(
    ({ address }) => address,
    () => undefined,
  );
}

function readPort({ port, protocol }: URL): number {
  return Number(port || (protocol === "https:" ? 443 : 80));
}

function readHost(listen: string): string {
  const host = listen.slice(0, listen.lastIndexOf(":"));
  return isIPv4(host) && host !== "0.0.0.0" && !isLoopback(host) ? host : "";
}
