/** The network of an app's container, with a subnet that no other app has used recently. */
import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import type Docker from "dockerode";
import ipaddr from "ipaddr.js";
import { CONTAINER_PORT } from "@/lib/domain/platform/app-limits";
import { InstanceFailure, quoteMessage } from "./runtime";

/** Six addresses: the bridge's and the container's, with space for more of its kind. */
const PREFIX = 29;
const SIZE = 2 ** (32 - PREFIX);
const TRIES = 64;

type Cidr = [ipaddr.IPv4, number];

/**
 * Gives out subnets in order from a random start, so that one is reused only after all others. If the engine chose, it
 * would give the subnet of an app that just ended to the next app, and a request that is about to be sent would reach
 * that app with another customer's state key.
 * @param pool such as `10.213.0.0/16`
 * @param listTaken networks of this machine, such as `192.168.1.20/24`
 */
export function takeSubnets(
  pool: string,
  listTaken: () => readonly string[] = listNetworks,
  random: (below: number) => number = randomInt,
): () => string {
  const [base, prefix] = ipaddr.IPv4.parseCIDR(pool);
  const count = 2 ** (PREFIX - prefix);
  let number = random(count);
  return () => {
    const taken = listTaken()
      .filter((cidr) => ipaddr.IPv4.isValidCIDR(cidr))
      .map((cidr) => ipaddr.IPv4.parseCIDR(cidr));
    for (let tries = 0; tries < count; tries += 1) {
      const subnet: Cidr = [addressAt(base, (number++ % count) * SIZE), PREFIX];
      if (!taken.some((network) => overlap(network, subnet))) return `${subnet[0]}/${PREFIX}`;
    }
    throw noSubnet(pool, "All of them overlap with a network of this machine.");
  };
}

function addressAt(base: ipaddr.IPv4, offset: number): ipaddr.IPv4 {
  const bytes = Buffer.from(base.toByteArray());
  bytes.writeUInt32BE(bytes.readUInt32BE() + offset);
  return new ipaddr.IPv4([...bytes]);
}

const overlap = (a: Cidr, b: Cidr) => a[0].match(b) || b[0].match(a);

function listNetworks(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all?.map(({ cidr }) => cidr ?? "") ?? []);
}

/** Creates the network with the next subnet that the engine accepts, and returns it. */
export async function createAppNetwork(
  docker: Docker,
  pool: string,
  takeSubnet: () => string,
  options: Omit<Docker.NetworkCreateOptions, "IPAM" | "Driver">,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const subnet = takeSubnet();
    const IPAM = { Config: [{ Subnet: subnet }] };
    try {
      await docker.createNetwork({ ...options, Driver: "bridge", IPAM });
      return subnet;
    } catch (error) {
      if (!(error instanceof Error) || !isTaken(error)) throw error;
      if (tries === TRIES)
        throw noSubnet(
          pool,
          `The container engine refused ${TRIES} of them: ${quoteMessage(error.message)}.`,
        );
    }
  }
}

/** Engines have no code for it. Docker: "Pool overlaps with other one on this address space". Podman: "is already used". */
const isTaken = ({ message }: Error) => /overlaps|already used/i.test(message);

/** The `number`th address of the subnet, such as the second. The engine keeps the first for itself. */
export function addressIn(subnet: string, number: number): string {
  return addressAt(ipaddr.IPv4.parseCIDR(subnet)[0], number).toString();
}

/** Which of the range's subnets contains the address. */
export function indexOfSubnet(pool: string, address: string): number {
  const toNumber = (ip: ipaddr.IPv4) => Buffer.from(ip.toByteArray()).readUInt32BE();
  const [base] = ipaddr.IPv4.parseCIDR(pool);
  return Math.floor((toNumber(ipaddr.IPv4.parse(address)) - toNumber(base)) / SIZE);
}

function noSubnet(pool: string, reason: string): InstanceFailure {
  return new InstanceFailure(
    "NETWORK_FAILED",
    `No subnet of ${pool} is free for the app's container. ${reason} Set PLATFORM_APP_SUBNETS to a private range that this machine's networks don't use, then restart the worker.`,
  );
}

// Where the platform reaches a container.

interface Network {
  IPAddress: string;
  /** The bridge's own address. */
  Gateway: string;
}

const CONNECT_MS = 500;

/**
 * The container's own address, which spares each call the engine's userland proxy, if its bridge is on this machine and lets
 * connections pass; otherwise its published port. A bridge in a virtual machine, of a rootless engine, or of another machine
 * may have addresses that belong to something else here. Both addresses change when the container restarts.
 */
export async function findOrigin(
  networks: readonly Network[],
  publishedPort: string,
  own = ownAddresses(),
): Promise<string> {
  const direct = networks.find(({ IPAddress, Gateway }) => IPAddress !== "" && own.has(Gateway));
  if (direct !== undefined && (await isReachable(direct.IPAddress)))
    return `http://${direct.IPAddress}:${CONTAINER_PORT}`;
  return `http://127.0.0.1:${publishedPort}`;
}

function ownAddresses(): Set<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []),
  );
}

/** A refused connection is reachable too: the app does not listen yet. */
export function isReachable(host: string, port = CONTAINER_PORT): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (isReached: boolean) => {
      socket.destroy();
      resolve(isReached);
    };
    socket.once("connect", () => end(true));
    // After a pause of this process, the timer runs first although the connection is there. The next turn of the event
    // loop sees it.
    socket.once("timeout", () => setImmediate(end, false));
    socket.once("error", (error) => end("code" in error && error.code === "ECONNREFUSED"));
  });
}
