import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freePort, probePort } from "@/lib/server/runtimes/free-port";
import type { ContainerAddress } from "./containers";
import { writeSecrets, type Secrets } from "./data-folder/secrets";
import { StartError } from "./data-folder/start-error";
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
  await writeSecrets(dataDir, secrets);
  return {
    stateListen: env.PLATFORM_STATE_LISTEN ?? (container === undefined ? "" : `${host}:${state}`),
    containerStateApi:
      env.PLATFORM_STATE_API_CONTAINER ??
      (container === undefined ? "" : `http://${container.reach}:${state}`),
    coreHosts: host === LOOPBACK ? host : `${LOOPBACK},${host}`,
    corePort: core,
    coreUrl: `http://${container?.shared === true ? container.reach : LOOPBACK}:${core}`,
    demoInContainers: container?.shared === true,
  };
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
