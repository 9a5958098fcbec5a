/** Runs the app in a container with the platform's limits, by the `docker` command or one that understands the same. */
import { createHash } from "node:crypto";
import {
  CONTAINER_PORT,
  CONTAINER_TMPFS,
  CONTAINER_USER,
  DEFAULT_CONTAINER_LIMITS,
  SHARED_MEMORY_MIB,
  VOLUME_MIB,
} from "@/lib/domain/platform/app-limits";
import { runEngine, supportsInit } from "../../image/engine";
import { explainContainer } from "./listening";
import { type AppExit, BuildFailure, freePort, type Runner, startChild } from "./runner";

const LABEL = "platform-app.dev";
const HOST_NAME = "host.docker.internal";

export interface ContainerOptions {
  folder: string;
  /** Relative to the folder. */
  dockerfile: string;
  buildArguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Removes what an earlier run left that was killed, and creates the container's network. */
export async function containerRunner(engine: string, options: ContainerOptions): Promise<Runner> {
  const { folder, environment } = options;
  const id = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  const [image, name, label] = [`platform-app-dev/${id}`, `platform-app-dev-${id}`, `${LABEL}=${id}`];
  const call = (...args: string[]) => runEngine(engine, environment, args, 60_000);

  const removeAll = async () => {
    const { output } = await call("ps", "-aq", "--filter", `label=${label}`);
    const containers = output.split("\n").filter((line) => line !== "");
    if (containers.length > 0) await call("rm", "-f", "-v", ...containers);
    await call("network", "rm", name);
  };
  await removeAll();
  const created = await call("network", "create", "--label", label, name);
  if (created.status !== 0)
    throw new BuildFailure(`The container engine couldn't create a network: ${created.errors}`, false);
  const listen = await findGateway();
  let hasInit: boolean | undefined;

  return {
    how: "container",
    what: `${image} (from ${options.dockerfile})`,
    host: { name: HOST_NAME, listen },
    prepare: async (onLine) => {
      const args = [
        "build",
        "--platform",
        "linux/amd64",
        "-t",
        image,
        "-f",
        `${folder}/${options.dockerfile}`,
      ];
      const built = options.buildArguments.flatMap((argument) => ["--build-arg", argument]);
      const lines: string[] = [];
      const child = startChild({
        command: [engine, ...args, ...built, folder],
        cwd: folder,
        environment,
        onLine: (_stream, line) => {
          lines.push(line);
          onLine(line);
        },
      });
      const { code } = await child.exited;
      if (code !== 0) throw explainBuild(lines);
    },
    start: async (stateApi, onLine) => {
      await call("rm", "-f", "-v", name);
      const port = await freePort();
      const volumes = await call("image", "inspect", "-f", "{{json .Config.Volumes}}", image);
      const variables = await call("image", "inspect", "-f", "{{json .Config.Env}}", image);
      const home = /"HOME=[^"]/.test(variables.output) ? [] : ["-e", `HOME=${CONTAINER_TMPFS.path}`];
      hasInit ??= await supportsInit(engine, environment, image);
      const init = hasInit ? ["--init"] : [];
      const command = [engine, "run", ...init, "--name", name, "--label", label, "--network", name];
      const child = startChild({
        command: [...command, ...limits(port, stateApi, readVolumes(volumes.output)), ...home, image],
        cwd: folder,
        environment,
        onLine,
      });
      const exited = child.exited.then(({ code, reason }) => explainExit(code, reason));
      return {
        port,
        exited,
        explainListening: explainPort,
        stop: async (graceMs) => {
          await call("stop", "-t", String(Math.ceil(graceMs / 1000)), name);
          const state = await call("inspect", "-f", "{{.State.ExitCode}}", name);
          child.signal("SIGKILL");
          await call("rm", "-f", "-v", name);
          await exited;
          return state.output.trim() === "137" ? "killed" : "ended";
        },
        kill: async () => {
          await call("kill", "-s", "KILL", name);
          await exited;
        },
      };
    },
    close: removeAll,
  };

  /** On Linux, containers reach this machine at their bridge's address. Elsewhere the engine leads them to the loopback. */
  async function findGateway(): Promise<string> {
    if (process.platform !== "linux") return "127.0.0.1";
    const { output } = await call("network", "inspect", "-f", "{{json .}}", name);
    return /"(?:Gateway|gateway)":"(\d+\.\d+\.\d+\.\d+)"/.exec(output)?.[1] ?? "127.0.0.1";
  }

  async function explainPort(): Promise<string> {
    const { output } = await call("inspect", "-f", "{{.State.Pid}}", name);
    // Where another machine runs the container. Some images can't print a file.
    const inside = async () => (await call("exec", name, "cat", "/proc/net/tcp", "/proc/net/tcp6")).output;
    return explainContainer(Number(output.trim()) || 0, CONTAINER_PORT, inside);
  }

  async function explainExit(code: number | null, reason: string): Promise<AppExit> {
    const { output } = await call("inspect", "-f", "{{.State.OOMKilled}} {{.State.Error}}", name);
    const [isKilled, ...error] = output.trim().split(" ");
    if (isKilled === "true") {
      const memory = `${DEFAULT_CONTAINER_LIMITS.memoryMib} MiB of memory`;
      return { code: "OOM_KILLED", reason: `was killed by the kernel because it used more than ${memory}` };
    }
    if (error.join(" ") !== "" || code === 126 || code === 127)
      return { code: "COMMAND_NOT_STARTED", reason: `could not be started: ${error.join(" ") || reason}` };
    if (code === 125)
      return { code: "ENGINE_FAILED", reason: "could not be started by the container engine" };
    return { code: "EXITED", reason };
  }

  function limits(port: number, stateApi: string, volumes: readonly string[]): string[] {
    const { memoryMib, cpus, processes } = DEFAULT_CONTAINER_LIMITS;
    const mounts = volumes
      .filter((target) => target !== CONTAINER_TMPFS.path)
      .flatMap((target) => [
        "--mount",
        `type=tmpfs,target=${target},tmpfs-size=${VOLUME_MIB * 1024 * 1024},tmpfs-mode=1777`,
      ]);
    return [
      ...["--user", CONTAINER_USER, "--hostname", "app", "--read-only", "--cap-drop", "ALL"],
      ...["--security-opt", "no-new-privileges:true", "--pids-limit", String(processes)],
      ...["--memory", `${memoryMib}m`, "--memory-swap", `${memoryMib}m`, "--cpus", String(cpus)],
      ...[
        "--shm-size",
        `${SHARED_MEMORY_MIB}m`,
        "--tmpfs",
        `${CONTAINER_TMPFS.path}:${CONTAINER_TMPFS.options}`,
      ],
      ...mounts,
      ...["--no-healthcheck", "--restart", "no", "--add-host", `${HOST_NAME}:${addHost()}`],
      ...["-p", `127.0.0.1:${port}:${CONTAINER_PORT}`],
      ...["-e", `PLATFORM_PORT=${CONTAINER_PORT}`, "-e", `PLATFORM_STATE_API=${stateApi}`],
    ];
  }

  function addHost(): string {
    return listen === "127.0.0.1" ? "host-gateway" : listen;
  }
}

function readVolumes(json: string): string[] {
  try {
    const volumes: unknown = JSON.parse(json);
    return typeof volumes === "object" && volumes !== null ? Object.keys(volumes) : [];
  } catch {
    return [];
  }
}

const OFFLINE =
  /failed to resolve|failed to do request|no such host|i\/o timeout|connection refused|network is unreachable|pull access denied|TLS handshake|dial tcp|Temporary failure in name resolution|proxyconnect|failed to authorize|manifest unknown|toomanyrequests/i;

function explainBuild(lines: readonly string[]): BuildFailure {
  const last = lines.filter((line) => line.trim() !== "").slice(-3);
  const isOffline = lines.slice(-20).some((line) => OFFLINE.test(line));
  const what = isOffline ? "The base image of the Dockerfile can't be fetched." : "The image can't be built.";
  return new BuildFailure([what, ...last.map((line) => line.trim())].join("\n"), isOffline);
}
