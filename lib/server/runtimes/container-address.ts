/** Where the platform reaches a container. */
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { CONTAINER_PORT } from "@/lib/domain/containment";

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
function isReachable(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: CONTAINER_PORT, timeout: CONNECT_MS });
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
