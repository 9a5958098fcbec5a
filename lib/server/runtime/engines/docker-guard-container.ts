/** The egress guard's container, the network that leads out, and the networks of apps that it is joined to. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { z } from "zod";
import { CONTAINER_USER } from "@/lib/domain/platform/app-limits";
import { GUARDED_LABEL } from "./docker-container";
import { ignoring, isStatus } from "./docker-engine";
import { ensureBaseImage } from "./docker-example-image";
import { addressIn, createAppNetwork } from "./docker-network";
import { InstanceFailure } from "./runtime";

export interface GuardedEngine {
  docker: Docker;
  /** Labels everything that the platform owns on the engine. */
  owner: string;
  appSubnets: string;
  takeSubnet: () => string;
}

const GUARD_LABEL = "platform.egress-of";
const PROGRAM_LABEL = "platform.egress-program";

/** Options of a network that leads nowhere: neither out, nor to the machine itself, whose bridge has no address in it. */
export const CLOSED_NETWORK = {
  Internal: true,
  Options: { "com.docker.network.bridge.inhibit_ipv4": "true" },
} as const;

const NODE = "/usr/local/bin/node";
const MEBIBYTE = 1024 * 1024;
const MEMORY_MIB = 512;
const HEAP_MIB = 256;
const POLL_MS = 50;
const RUNNING_MS = 15_000;

/** The second and the third address of each network. */
export const [APP, GUARD] = [2, 3];

const engineVersion = z.object({
  Version: z.string().optional(),
  Components: z.array(z.object({ Name: z.string() })).optional(),
});

/** Why this engine's networks can't be closed in this way, or the guard can't run here; undefined if nothing speaks against it. */
export async function findUnfit(docker: { version(): Promise<unknown> }): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "The egress guard needs a worker on Linux (x64), on the container engine's machine.";
  const { Version = "", Components = [] } = engineVersion.parse(await docker.version());
  // It ignores the option that leaves the machine without an address in a network.
  if (Components.some(({ Name }) => /podman/i.test(Name)))
    return "The container engine is Podman. The egress guard needs Docker.";
  // Of the releases with this defect, those that are known for sure. The isolation check finds it in others.
  if (/^26\.(?:0\.|1\.[0-2](?!\d))/.test(Version))
    return `Docker ${Version} doesn't let apps ask the egress guard for names. Update Docker to 26.1.3 or newer.`;
  return undefined;
}

/** The name of the guard's container, and of the network that leads out. */
export function guardName(owner: string): string {
  return `platform-egress-${owner}`;
}

/** Creates it, replaces one of another version of the program, and starts one that doesn't run. Several workers may do so at once. */
export async function ensureGuard(
  engine: GuardedEngine,
  nameServers: readonly string[] | undefined,
): Promise<{ id: string; address: string }> {
  const { docker, owner } = engine;
  const program = await readProgram();
  const digest = createHash("sha256").update(program).digest("hex");
  const until = Date.now() + RUNNING_MS;
  for (;;) {
    const found = await findGuard(docker, owner);
    if (found === undefined) await createContainer(engine, nameServers, program, digest);
    else if (found.Config.Labels[PROGRAM_LABEL] !== digest)
      await ignoring([404, 409], docker.getContainer(found.Id).remove({ force: true }));
    else if (found.State.Running) {
      const address = addressOf(found, owner);
      if (address !== undefined) return { id: found.Id, address };
    } else if (!found.State.Restarting)
      await ignoring([304, 404, 409], docker.getContainer(found.Id).start());
    if (Date.now() > until)
      throw new InstanceFailure(
        "NETWORK_FAILED",
        `The egress guard is not running. See: docker logs ${guardName(owner)}.`,
      );
    await sleep(POLL_MS);
  }
}

async function findGuard(docker: Docker, owner: string): Promise<Docker.ContainerInspectInfo | undefined> {
  return docker
    .getContainer(guardName(owner))
    .inspect()
    .catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error;
      return undefined;
    });
}

/** In the network that leads out. */
function addressOf({ NetworkSettings }: Docker.ContainerInspectInfo, owner: string): string | undefined {
  return NetworkSettings.Networks[guardName(owner)]?.IPAddress || undefined;
}

/** Of the guard of another launch; undefined if it doesn't run. */
export async function findGuardAddress(docker: Docker, owner: string): Promise<string | undefined> {
  const found = await findGuard(docker, owner);
  return found?.State.Running === true ? addressOf(found, owner) : undefined;
}

/** Beside the worker's own file, or where that is built to, whatever folder the worker runs in. */
async function readProgram(): Promise<string> {
  for (const folder of [".", "../../../../.build"]) {
    const text = await readFile(path.join(import.meta.dirname, folder, "guard.js"), "utf8").catch(
      () => undefined,
    );
    if (text !== undefined) return text;
  }
  throw new InstanceFailure(
    "RUNTIME_NOT_AVAILABLE",
    "The egress guard's program (.build/guard.js) is missing. Build the platform again: npm run build.",
  );
}

async function createContainer(
  engine: GuardedEngine,
  nameServers: readonly string[] | undefined,
  program: string,
  digest: string,
): Promise<void> {
  const { docker, owner } = engine;
  const image = await ensureBaseImage(docker);
  if (image === undefined)
    throw new InstanceFailure(
      "RUNTIME_NOT_AVAILABLE",
      "The egress guard needs a worker on Linux (x64), on the container engine's machine. Set PLATFORM_EGRESS=open to run apps without it.",
    );
  const name = guardName(owner);
  const address = addressIn(await ensureWayOut(engine), GUARD);
  const options: Docker.ContainerCreateOptions = {
    name,
    Image: image,
    User: CONTAINER_USER,
    Hostname: "egress",
    Entrypoint: [NODE],
    Cmd: ["--input-type=module", `--max-old-space-size=${HEAP_MIB}`, "-e", program],
    Labels: { [GUARD_LABEL]: owner, [PROGRAM_LABEL]: digest },
    // The worker's orders come in there, and it isn't closed when a worker leaves.
    OpenStdin: true,
    StdinOnce: false,
    Tty: false,
    NetworkingConfig: { EndpointsConfig: { [name]: { IPAMConfig: { IPv4Address: address } } } },
    HostConfig: {
      NetworkMode: name,
      Init: false,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
      PidsLimit: 64,
      Memory: MEMORY_MIB * MEBIBYTE,
      MemorySwap: MEMORY_MIB * MEBIBYTE,
      // One thread does all its work.
      NanoCpus: 1e9,
      // It relays, and never routes; names and HTTP have ports below 1024.
      Sysctls: { "net.ipv4.ip_forward": "0", "net.ipv4.ip_unprivileged_port_start": "0" },
      RestartPolicy: { Name: "unless-stopped" },
      LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "2" } },
      ...(nameServers !== undefined && { Dns: [...nameServers] }),
    },
  };
  // 409: another worker was faster.
  await ignoring([409], docker.createContainer(options));
}

/** The network that leads out. Returns its subnet. It stays, so that addresses of apps stay, too. */
async function ensureWayOut({ docker, owner, appSubnets, takeSubnet }: GuardedEngine): Promise<string> {
  const name = guardName(owner);
  const [found] = (await docker.listNetworks({ filters: { label: [`${GUARD_LABEL}=${owner}`] } })).filter(
    ({ Name }) => Name === name,
  );
  const subnet = found?.IPAM?.Config?.[0]?.Subnet;
  if (subnet !== undefined) return subnet;
  return createAppNetwork(docker, appSubnets, takeSubnet, {
    Name: name,
    CheckDuplicate: true,
    Labels: { [GUARD_LABEL]: owner },
  });
}

/** All of them, after the guard's container was created again. */
export async function joinNetworks({ docker, owner }: GuardedEngine, id: string): Promise<void> {
  const { NetworkSettings } = await docker.getContainer(id).inspect();
  for (const { Name, subnet } of await listGuarded(docker, owner))
    if (NetworkSettings.Networks[Name] === undefined)
      await joinNetwork(docker, id, Name, addressIn(subnet, GUARD));
}

export async function joinNetwork(docker: Docker, id: string, name: string, address: string): Promise<void> {
  const EndpointConfig = { IPAMConfig: { IPv4Address: address } };
  try {
    await docker.getNetwork(name).connect({ Container: id, EndpointConfig });
  } catch (error) {
    // It is in it already, or the network was removed meanwhile.
    const isJoined = error instanceof Error && /already exists|already attached/i.test(error.message);
    if (!isJoined && !isStatus(error, 404)) throw error;
  }
}

/** So that the network can be removed. */
export async function leaveNetwork(docker: Docker, owner: string, name: string): Promise<void> {
  // Engines have no status of their own for a container that isn't in it.
  await docker
    .getNetwork(name)
    .disconnect({ Container: guardName(owner), Force: true })
    .catch((error: unknown) => {
      if (!(error instanceof Error && "statusCode" in error)) throw error;
    });
}

/** Removes the guard, and the network that leads out. Apps that still run are cut off. */
export async function removeGuard(docker: Docker, owner: string): Promise<void> {
  await ignoring([404, 409], docker.getContainer(guardName(owner)).remove({ force: true }));
  await ignoring([403, 404], docker.getNetwork(guardName(owner)).remove());
}

interface GuardedNetwork {
  Name: string;
  subnet: string;
  labels: Record<string, string>;
}

export async function listGuarded(docker: Docker, owner: string): Promise<GuardedNetwork[]> {
  const networks = await docker.listNetworks({ filters: { label: [`${GUARDED_LABEL}=${owner}`] } });
  return networks
    .flatMap(({ Name, IPAM, Labels }) => {
      const subnet = IPAM?.Config?.[0]?.Subnet;
      return subnet === undefined ? [] : [{ Name, subnet, labels: Labels ?? {} }];
    })
    .sort((one, other) => (one.Name < other.Name ? -1 : 1));
}
