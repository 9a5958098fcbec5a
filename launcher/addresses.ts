import { execFile } from "node:child_process";
import { lookup } from "node:dns/promises";
import { promisify } from "node:util";
import Docker from "dockerode";
import { freePort, probePort } from "@/lib/server/platform/machine";
import { dockerRuntime } from "@/lib/server/runtime/engines/docker";
import { findEngineFailure } from "@/lib/server/runtime/engines/docker-engine";
import { type Secrets, StartError, writeSecrets } from "./data-folder/secrets";
import type { Addresses, Settings } from "./settings";

const run = promisify(execFile);
const LOOPBACK = "127.0.0.1";

/** Throws StartError for ports in use, before anything is started. */
export async function chooseAddresses(
  { env, dataDir }: Settings,
  secrets: Secrets,
  container: ContainerAddress | undefined,
): Promise<Addresses> {
  const webPort = await claimPort(env, "PLATFORM_WEB", 3000);
  const gatewayPort = await claimPort(env, "PLATFORM_GATEWAY", 4000);
  // Without it, the worker takes any free port.
  const workerPort = env.PLATFORM_WORKER_PORT ? await claimPort(env, "PLATFORM_WORKER", 0) : 0;
  requireDifferentPorts(listPlaces(env, { web: webPort, gateway: gatewayPort, worker: workerPort }));
  return {
    webPort,
    webUrl: env.PLATFORM_WEB_URL ?? `http://localhost:${webPort}`,
    gatewayPort,
    gatewayUrl: env.PLATFORM_GATEWAY_URL ?? `http://${LOOPBACK}:${gatewayPort}`,
    ...(await chooseContainerAddresses({ env, dataDir }, secrets, container)),
  };
}

/**
 * Where containers reach the state API and the demo's core.
 * @param corePort of the demo's core if it is running
 */
export async function chooseContainerAddresses(
  { env, dataDir }: Pick<Settings, "env" | "dataDir">,
  secrets: Secrets,
  container: ContainerAddress | undefined,
  corePort?: number,
) {
  const host = container?.listen ?? LOOPBACK;
  const state = await freePort(host, secrets.ports.state);
  const core =
    corePort !== undefined && host === LOOPBACK
      ? corePort
      : await freePort(host, corePort ?? secrets.ports.core);
  secrets.ports = { ...secrets.ports, state, core };
  if (container !== undefined) secrets.containers = container;
  await writeSecrets(dataDir, secrets);
  const stateListen = env.PLATFORM_STATE_LISTEN ?? (container === undefined ? "" : `${host}:${state}`);
  return {
    stateListen,
    containerStateApi: env.PLATFORM_STATE_API_CONTAINER ?? createStateApi(stateListen, container),
    coreHosts: host === LOOPBACK ? host : `${LOOPBACK},${host}`,
    corePort: core,
    coreUrl: `http://${container?.shared === true ? container.reach : LOOPBACK}:${core}`,
    demoInContainers: container?.shared === true,
  };
}

/** The listener's own address, unless it is one that means something else to containers. */
export function createStateApi(stateListen: string, container: { reach: string } | undefined): string {
  if (stateListen === "") return "";
  const { hostname, port } = new URL(`http://${stateListen}`);
  const isAny = hostname === "0.0.0.0" || hostname === "[::]" || hostname.startsWith("127.");
  return isAny && container === undefined ? "" : `http://${isAny ? container?.reach : hostname}:${port}`;
}

interface Place {
  setting: string;
  host: string;
  port: number;
}

/** Where this launch listens, as far as settings say. */
function listPlaces(env: NodeJS.ProcessEnv, ports: Record<"web" | "gateway" | "worker", number>): Place[] {
  const at = (setting: string, host = LOOPBACK, port = 0) => ({ setting, host, port });
  const state = env.PLATFORM_STATE_LISTEN ? new URL(`http://${env.PLATFORM_STATE_LISTEN}`) : undefined;
  const metrics = METRICS_PARTS.map((part) => chooseMetricsPort(env, part).PLATFORM_METRICS_PORT);
  return [
    at("PLATFORM_WEB_PORT", env.PLATFORM_WEB_HOST, ports.web),
    at("PLATFORM_GATEWAY_PORT", env.PLATFORM_GATEWAY_HOST, ports.gateway),
    at("PLATFORM_WORKER_PORT", env.PLATFORM_WORKER_HOST, ports.worker),
    at("PLATFORM_STATE_LISTEN", state?.hostname, Number(state?.port ?? 0)),
    ...metrics.map((port) => at("PLATFORM_METRICS_PORT", env.PLATFORM_METRICS_HOST, Number(port ?? 0))),
  ].filter(({ port }) => port > 0);
}

/** The second part to listen on a port would fail again and again. */
export function requireDifferentPorts(places: readonly Place[]): void {
  const isAny = (host: string) => ["0.0.0.0", "::", "[::]"].includes(host);
  for (const [index, { setting, host, port }] of places.entries()) {
    const other = places
      .slice(0, index)
      .find((each) => each.port === port && (each.host === host || isAny(each.host) || isAny(host)));
    if (other !== undefined)
      throw new StartError(
        `${other.setting} and ${setting} both use port ${port}. Choose another port for one of them.` +
          (setting === "PLATFORM_METRICS_PORT"
            ? " The gateway's metrics use the port after PLATFORM_METRICS_PORT, and the worker's the next one."
            : ""),
      );
  }
}

const METRICS_PARTS = ["web", "gateway", "worker"];

/** The parts of one launch share their settings and the machine, so each serves its metrics on a port of its own. */
export function chooseMetricsPort(
  { PLATFORM_METRICS_PORT: first = "" }: NodeJS.ProcessEnv,
  part: string,
): Partial<NodeJS.ProcessEnv> {
  const at = METRICS_PARTS.indexOf(part);
  return Number(first) > 0 && at >= 0 ? { PLATFORM_METRICS_PORT: String(Number(first) + at) } : {};
}

/** The port that `<name>_PORT` sets. Throws StartError if it is invalid or in use. */
async function claimPort(env: NodeJS.ProcessEnv, name: string, defaultPort: number): Promise<number> {
  const variable = `${name}_PORT`;
  const port = Number(env[variable] ?? defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new StartError(`${variable} is '${env[variable]}'. Set it to a port from 1 to 65535.`);
  const host = env[`${name}_HOST`] ?? LOOPBACK;
  const bound = await probePort(host, port);
  if (typeof bound === "number") return bound;
  if (bound === "EADDRINUSE") {
    const program = await findListener(port);
    throw new StartError(
      `Port ${port} on ${host} is already in use${program === undefined ? "" : ` by ${program}`}.\n` +
        `Stop that program, or choose another port: ${variable}=${port + 1} npm start`,
    );
  }
  const fix =
    bound === "EACCES"
      ? `Choose a port above 1023 with ${variable}.`
      : `Choose another port with ${variable}, or another host with ${name}_HOST.`;
  throw new StartError(`Port ${port} on ${host} cannot be opened (${bound}). ${fix}`);
}

/** The program's name and pid according to `lsof` or `ss`, if this machine has one of them. */
async function findListener(port: number): Promise<string | undefined> {
  const lsof = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], { timeout: 2_000 }).catch(
    () => undefined,
  );
  const [, pid, name] = /p(\d+)\nc(.+)/.exec(lsof?.stdout ?? "") ?? [];
  if (pid !== undefined) return `${name} (process ${pid})`;
  const ss = await run("ss", ["-Hltnp", `sport = :${port}`], { timeout: 2_000 }).catch(() => undefined);
  const [, command, id] = /\(\("([^"]+)",pid=(\d+)/.exec(ss?.stdout ?? "") ?? [];
  return command === undefined ? undefined : `${command} (process ${id})`;
}

/**
 * How containers reach this machine: an address to listen on, and a host name for the containers. `shared`: this machine resolves `reach` too,
 * so that containers and the platform can share one address of the demo's core.
 */
type ContainerAddress = NonNullable<Secrets["containers"]>;

/**
 * The address from before, while the engine doesn't respond. Its containers may run on, and need the state API where they were told that it is.
 * Undefined if it can't be listened on now.
 */
export async function recallContainerAddress({
  containers,
}: Pick<Secrets, "containers">): Promise<ContainerAddress | undefined> {
  if (containers === undefined || typeof (await probePort(containers.listen, 0)) !== "number")
    return undefined;
  return containers;
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
  await runtime.removeGuard?.().catch(() => undefined);
}
