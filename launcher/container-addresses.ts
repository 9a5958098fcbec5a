import { lookup } from "node:dns/promises";
import Docker from "dockerode";
import { pingFault } from "@/lib/server/runtimes/choose-runtime";
import { freePort } from "./ports";

/** How containers reach this machine: an address to listen on, and the host name to hand to them. */
export interface ContainerAddress {
  listen: string;
  reach: string;
  /** This machine itself knows the name too, so that both sides can call the demo's core by one address. */
  shared: boolean;
}

/** Undefined when no container engine answers. */
export async function findContainerAddress(): Promise<ContainerAddress | undefined> {
  const docker = new Docker();
  if ((await pingFault(docker)) !== undefined) return undefined;
  const gateway = await bridgeGateway(docker).catch(() => undefined);
  // Where containers run in a virtual machine (Docker Desktop), the bridge's address is not one of this machine's.
  // `os.networkInterfaces()` leaves out a bridge that has no container yet; whether one can listen there tells for sure.
  const local =
    gateway !== undefined &&
    (await freePort(gateway).then(
      () => true,
      () => false,
    ));
  if (local) return { listen: gateway, reach: gateway, shared: true };
  const reach = "host.docker.internal";
  const shared = await lookup(reach).then(
    () => true,
    () => false,
  );
  return { listen: "127.0.0.1", reach, shared };
}

/** Docker names the gateway once the network is in use; before that, it is the subnet's first address. */
async function bridgeGateway(docker: Docker): Promise<string | undefined> {
  const network: { IPAM?: { Config?: { Gateway?: string; Subnet?: string }[] } } = await docker
    .getNetwork("bridge")
    .inspect();
  const config = network.IPAM?.Config?.find(({ Subnet }) => Subnet?.includes(".") === true);
  const [base] = config?.Subnet?.split("/") ?? [];
  return config?.Gateway ?? base?.replace(/\d+$/, (last) => String(Number(last) + 1));
}
