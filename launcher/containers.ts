import { lookup } from "node:dns/promises";
import Docker from "dockerode";
import { dockerRuntime } from "@/lib/server/runtimes/docker";
import { findEngineFailure } from "@/lib/server/runtimes/docker-engine";
import { probePort } from "@/lib/server/runtimes/free-port";

/** How containers reach this machine: an address to listen on, and a host name for the containers. */
export interface ContainerAddress {
  listen: string;
  reach: string;
  /** This machine resolves `reach` too, so that containers and the platform can share one address of the demo's core. */
  shared: boolean;
}

/** Undefined if no container engine responds. */
export async function findContainerAddress(): Promise<ContainerAddress | undefined> {
  const docker = new Docker();
  if ((await findEngineFailure(docker)) !== undefined) return undefined;
  const gateway = await findBridgeGateway(docker).catch(() => undefined);
  // If containers run in a virtual machine (Docker Desktop), the bridge's address is not one of this machine's. The test is
  // to listen on it: `os.networkInterfaces()` leaves out a bridge without containers.
  if (gateway !== undefined && typeof (await probePort(gateway, 0)) === "number")
    return { listen: gateway, reach: gateway, shared: true };
  const reach = "host.docker.internal";
  const shared = await lookup(reach).then(
    () => true,
    () => false,
  );
  return { listen: "127.0.0.1", reach, shared };
}

/** Docker reports the gateway once the network is in use. Before that, it is the subnet's first address. */
async function findBridgeGateway(docker: Docker): Promise<string | undefined> {
  const network: { IPAM?: { Config?: { Gateway?: string; Subnet?: string }[] } } = await docker
    .getNetwork("bridge")
    .inspect();
  const config = network.IPAM?.Config?.find(({ Subnet }) => Subnet?.includes(".") === true);
  const [base] = config?.Subnet?.split("/") ?? [];
  return config?.Gateway ?? base?.replace(/\d+$/, (last) => String(Number(last) + 1));
}

/**
 * Stops the containers of this data folder. A worker leaves them to the next worker, so that a rolling restart interrupts
 * no app. After Ctrl-C, no worker follows, and the next start creates them again.
 */
export async function endContainers(dataDir: string): Promise<void> {
  const runtime = dockerRuntime({ dataDir, examplesFolder: "" });
  // Without an engine there is nothing to stop.
  const found = await runtime.list().catch(() => []);
  await Promise.all(found.map(({ handle }) => runtime.stop(handle, 2)));
}
