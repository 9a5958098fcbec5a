/**
 * For tests: a small internet, in a network of the engine or on this machine. It has a name server, and a server that answers TLS, HTTP and UDP
 * at an address that is public to everyone who looks at it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import type Docker from "dockerode";
import { isStatus } from "@/lib/server/runtime/engines/docker-engine";
import { ensureBaseImage } from "@/lib/server/runtime/engines/docker-example-image";
import { CLOSED_NETWORK } from "@/lib/server/runtime/engines/docker-guard-container";
import { createCertificate } from "./certificate";

export const PORTS = { tls: 443, http: 80, otherTls: 9443, udp: 9999 };

const SCRIPT = `
const { createServer } = require("node:tls");
const { names, ports, key, cert, at: here = "0.0.0.0" } = JSON.parse(process.env.INTERNET);
for (const port of [ports.tls, ports.otherTls])
  createServer({ key, cert }, (socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const [, bytes] = /^send (\\d+)/.exec(chunk) ?? [];
      if (bytes) socket.end(Buffer.alloc(Number(bytes), 120));
    });
    socket.write("internet\\n");
  }).listen(port, here);
require("node:http").createServer((_, answer) => answer.end("internet")).listen(ports.http, here);
const udp = require("node:dgram").createSocket("udp4");
udp.on("message", (message, from) => udp.send("internet", from.port, from.address)).bind(ports.udp, here);
const asked = {};
const dns = require("node:dgram").createSocket("udp4");
dns.on("message", (message, from) => {
  const labels = [];
  let at = 12;
  while (message[at]) labels.push(message.toString("latin1", at + 1, (at += message[at] + 1)));
  const name = labels.join(".").toLowerCase();
  const end = at + 5;
  // Each look-up of a name gets its next list.
  const lists = message[end - 3] === 1 ? names[name] : [[]];
  const list = lists?.[(asked[name] = (asked[name] ?? -1) + 1) % lists.length] ?? [];
  const records = list.map((address) => [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]);
  const head = [message[0], message[1], 0x81, lists ? 0x80 : 0x83, 0, 1, 0, list.length, 0, 0, 0, 0];
  dns.send(Buffer.from([...head, ...message.subarray(12, end), ...records.flat()]), from.port, from.address);
}).bind(53, here, () => console.log("ready"));
process.on("SIGTERM", () => process.exit(0));`;

export interface Internet {
  network: string;
  address: string;
  remove(): Promise<void>;
}

/** The lists of addresses that a name's look-ups get in turn; `internet` stands for the server. */
type Names = Record<string, string[][]>;

/** What its program is told. */
function describe(address: string, names: Names) {
  const filled = Object.fromEntries(
    Object.entries(names).map(([name, lists]) => [
      name,
      lists.map((list) => list.map((each) => (each === "internet" ? address : each))),
    ]),
  );
  return { names: filled, ports: PORTS, ...createCertificate(address) };
}

/** At an address that this machine gets for it, which takes root. */
export async function createLocalInternet(address: string, names: Names): Promise<{ remove: () => void }> {
  const change = (how: "replace" | "del") =>
    execFileSync("ip", ["address", how, `${address}/32`, "dev", "lo"], { stdio: "ignore" });
  change("replace");
  const told = JSON.stringify({ ...describe(address, names), at: address });
  const child = spawn(process.execPath, ["-e", SCRIPT], {
    env: { NODE_ENV: "test", INTERNET: told },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    remove: () => {
      child.kill();
      change("del");
    },
  };
}

export async function createInternet(docker: Docker, subnet: string, names: Names): Promise<Internet> {
  const network = `platform-test-internet-${process.pid}`;
  const address = subnet.replace(/\.0\/\d+$/, ".2");
  const told = describe(address, names);
  // This machine has no address in it, so that nobody takes it for one of the machine's own networks.
  await docker.createNetwork({
    Name: network,
    Driver: "bridge",
    IPAM: { Config: [{ Subnet: subnet }] },
    ...CLOSED_NETWORK,
  });
  const container = await docker.createContainer({
    name: network,
    Image: (await ensureBaseImage(docker)) ?? "",
    Entrypoint: ["/usr/local/bin/node", "-e", SCRIPT],
    Env: [`INTERNET=${JSON.stringify(told)}`],
    NetworkingConfig: { EndpointsConfig: { [network]: { IPAMConfig: { IPv4Address: address } } } },
    HostConfig: { NetworkMode: network },
  });
  await container.start();
  return {
    network,
    address,
    remove: async () => {
      await container.remove({ force: true });
      const inspected: { Containers?: Record<string, unknown> } = await docker.getNetwork(network).inspect();
      for (const Container of Object.keys(inspected.Containers ?? {}))
        await docker.getNetwork(network).disconnect({ Container, Force: true });
      await docker
        .getNetwork(network)
        .remove()
        .catch((error: unknown) => {
          if (!isStatus(error, 404)) throw error;
        });
    },
  };
}
