import type Docker from "dockerode";
import { z } from "zod";
import {
  CONTAINER_PORT,
  CONTAINER_TMPFS,
  CONTAINER_USER,
  SHARED_MEMORY_MIB,
  VOLUME_MIB,
} from "@/lib/domain/platform/app-limits";
import type { AppLimits } from "../../platform/environment";
import { isInitMissing, isStatus, joinFrames } from "./docker-engine";
import type { EngineImage } from "./docker-image";
import {
  cleanLog,
  describeExit,
  type Ending,
  type FollowOptions,
  type LogPiece,
  parseLogTime,
  quoteMessage,
  type StartOrder,
  type Usage,
} from "./runtime";

const MEBIBYTE = 1024 * 1024;

/** An app's place in a network in which there is only the egress guard. */
export interface GuardedPlace {
  appAddress: string;
  guardAddress: string;
  /** What the app gets as `PLATFORM_STATE_API`. */
  stateApi: string;
}

/** Of a network that the egress guard joins, and of the container in it; its value is the platform's owner. */
export const GUARDED_LABEL = "platform.guarded-by";

/** Labels that mark what a platform owns, so that two platforms on one engine do not interfere. */
export const OWNER_LABEL = "platform.instance-of";
export const VERSION_LABEL = "platform.version";
export const REPLICA_LABEL = "platform.replica";

export function createLabels(
  owner: string,
  { versionId, replica }: Pick<StartOrder, "versionId" | "replica">,
): Record<string, string> {
  return { [OWNER_LABEL]: owner, [VERSION_LABEL]: versionId, [REPLICA_LABEL]: String(replica) };
}

/**
 * Every limit that an app runs under. Overrides the image's user, volumes, health check, and labels. A declared volume
 * becomes a small tmpfs, so that nothing outlives the app. The engine's init is the first process: it passes signals on to
 * the app, ends with it, and reaps processes that lost their parent.
 * @param name of the container and of its existing network
 * @param place in a network that leads to the egress guard alone
 */
export function containerOptions(
  owner: string,
  order: StartOrder,
  image: EngineImage,
  name: string,
  limits: AppLimits,
  place?: GuardedPlace,
): Docker.ContainerCreateOptions {
  const port = `${CONTAINER_PORT}/tcp`;
  return {
    name,
    Image: image.id,
    User: CONTAINER_USER,
    Hostname: "app",
    Env: [
      `PLATFORM_PORT=${CONTAINER_PORT}`,
      `PLATFORM_STATE_API=${place?.stateApi ?? order.environment.PLATFORM_STATE_API}`,
      // Servers keep caches and sockets there. Without it, the engine sets `/`, which is read-only.
      ...(image.hasHome ? [] : [`HOME=${CONTAINER_TMPFS.path}`]),
    ],
    Labels: { ...createLabels(owner, order), ...(place !== undefined && { [GUARDED_LABEL]: owner }) },
    ...(place !== undefined && {
      NetworkingConfig: { EndpointsConfig: { [name]: { IPAMConfig: { IPv4Address: place.appAddress } } } },
    }),
    Healthcheck: { Test: ["NONE"] },
    ExposedPorts: { [port]: {} },
    AttachStdin: false,
    OpenStdin: false,
    Tty: false,
    HostConfig: {
      // The first process adopts what others leave behind. An app that isn't an init would collect zombies up to its limit.
      Init: true,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
      Privileged: false,
      PidsLimit: limits.processes,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.cpus * 1e9),
      ShmSize: SHARED_MEMORY_MIB * MEBIBYTE,
      Tmpfs: { [CONTAINER_TMPFS.path]: `${CONTAINER_TMPFS.options},${OWNED}` },
      Mounts: image.volumes.filter((target) => target !== CONTAINER_TMPFS.path).map(volumeAsTmpfs),
      RestartPolicy: { Name: "no" },
      LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "2" } },
      NetworkMode: name,
      ...(place === undefined
        ? {
            PortBindings: { [port]: [{ HostIp: "127.0.0.1", HostPort: "" }] },
            ExtraHosts: hostsFor(order.environment.PLATFORM_STATE_API),
          }
        : // The engine's own name server asks the guard, from the app's address, and adds no domains of this machine to names.
          { Dns: [place.guardAddress], DnsSearch: ["."] }),
    },
  };
}

const [UID, GID] = CONTAINER_USER.split(":");
/** Some engines give it the permissions of the image's folder of that name, whatever mode it has. */
const OWNED = `uid=${UID},gid=${GID}`;

/**
 * The same options without what an engine lacks, according to its error: its own init (Debian's package without its
 * recommendations), or owners of a tmpfs (Podman). Undefined if the error is about something else.
 */
export function withoutRefused(
  options: Docker.ContainerCreateOptions,
  error: unknown,
): Docker.ContainerCreateOptions | undefined {
  const { HostConfig } = options;
  const message = error instanceof Error ? error.message : "";
  const [[path, mount = ""] = [""]] = Object.entries<string>(HostConfig?.Tmpfs ?? {});
  if (HostConfig?.Init === true && isInitMissing(error))
    return { ...options, HostConfig: { ...HostConfig, Init: false } };
  if (/mount option|tmpfs option/i.test(message) && mount.includes(OWNED))
    return { ...options, HostConfig: { ...HostConfig, Tmpfs: { [path]: mount.replace(`,${OWNED}`, "") } } };
  return undefined;
}

const NO_INIT =
  "the container engine has no init, so processes that apps leave behind stay until their process limit is full. Install it (Debian: tini, Podman: catatonit)";

/** Creates and starts it, again without what the engine lacks. @param warn gets what apps miss because of that */
export async function runContainer(
  docker: Docker,
  options: Docker.ContainerCreateOptions,
  warn: (message: string) => void = () => {},
): Promise<Docker.Container> {
  let container: Docker.Container | undefined;
  try {
    container = await docker.createContainer(options);
    await container.start();
    return container;
  } catch (error) {
    const fewer = withoutRefused(options, error);
    if (fewer === undefined) throw error;
    if (isInitMissing(error)) warn(NO_INIT);
    await container?.remove({ force: true, v: true });
    return runContainer(docker, fewer, warn);
  }
}

function volumeAsTmpfs(target: string): Docker.MountSettings {
  return {
    Type: "tmpfs",
    Target: target,
    Source: "",
    TmpfsOptions: { SizeBytes: VOLUME_MIB * MEBIBYTE, Mode: 0o1777 },
  };
}

/** On Linux, engines do not resolve `host.docker.internal` by default. */
function hostsFor(stateApi: string): string[] {
  return new URL(stateApi).hostname === "host.docker.internal" ? ["host.docker.internal:host-gateway"] : [];
}

/** The engine leaves out what the kernel doesn't tell, and everything of a container that doesn't run. */
const statistics = z.object({
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }),
  memory_stats: z.object({
    usage: z.number().optional(),
    limit: z.number().optional(),
    // With version 1 of control groups, the first says nothing of groups below the container's.
    stats: z
      .object({ inactive_file: z.number().optional(), total_inactive_file: z.number().optional() })
      .optional(),
  }),
});

/** What a container uses, according to the engine. Undefined if it doesn't run. */
export function readUsage(answer: unknown, limits: AppLimits): Usage | undefined {
  const { cpu_stats: cpu, memory_stats: memory } = statistics.parse(answer);
  if (memory.usage === undefined) return undefined;
  const cached = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0;
  return {
    cpuNs: cpu.cpu_usage.total_usage,
    memoryBytes: Math.max(0, memory.usage - cached),
    limits: { cpuMillis: Math.round(limits.cpus * 1_000), memoryBytes: memory.limit ?? limits.memoryBytes },
  };
}

// Why a container ended, according to its engine.

/** What `inspect` returns for a container. */
interface Ended {
  Id: string;
  State: { OOMKilled: boolean; ExitCode: number; Error: string };
  /** 0 or undefined if it has no limit of its own. */
  HostConfig: { Memory?: number | undefined };
}

export async function describeEnd(docker: Docker, { Id, State, HostConfig }: Ended): Promise<Ending> {
  const exitCode = State.ExitCode;
  if (State.OOMKilled) {
    const limit = HostConfig.Memory
      ? `${Math.round(HostConfig.Memory / MEBIBYTE)} MiB of memory`
      : "its memory";
    const reason = `was killed by the kernel because it used more than ${limit}`;
    return { code: "OOM_KILLED", reason, exitCode };
  }
  if (State.Error !== "")
    return {
      code: "COMMAND_NOT_STARTED",
      reason: `could not be started: ${quoteMessage(State.Error)}`,
      exitCode,
    };
  if (await hasEndedByItself(docker, Id))
    return (await findCommandFailure(docker, Id, exitCode)) ?? describeExit(exitCode);
  const reason = "was stopped by something else, for example a restart of the container engine";
  return { code: "INTERRUPTED", reason, exitCode };
}

/** How the engine's init says that it could not start the app. Docker: "[FATAL tini (7)] exec /absent failed: No such file …". */
const INIT_FAILURE =
  /^\[FATAL tini \(\d+\)\] (exec .{1,500} failed: .{1,200})$|^ERROR \(catatonit:\d+\): (.{1,700})$/m;
const INIT_LOG_BYTES = 4_096;

/** The command is started by the engine's init, which writes to the app's log why that failed. */
async function findCommandFailure(docker: Docker, id: string, exitCode: number): Promise<Ending | undefined> {
  if (exitCode === 0 || exitCode > 127) return undefined;
  const log = await docker.getContainer(id).logs({ stdout: false, stderr: true, follow: false, tail: 3 });
  const [, ...found] = INIT_FAILURE.exec(cleanLog(joinFrames(log), INIT_LOG_BYTES)) ?? [];
  const failure = found.find((text) => text !== undefined);
  if (failure === undefined) return undefined;
  return { code: "COMMAND_NOT_STARTED", reason: `could not be started: ${quoteMessage(failure)}`, exitCode };
}

/** For an engine whose clock is behind. Only an exit of which the engine knows nothing takes this long. */
const WAIT_SECONDS = 1;
const event = z.object({ Action: z.string() });

/**
 * An engine remembers the last 256 events until it ends itself. It notes `kill` when somebody asks it to end a container, also
 * when it shuts down, and `die` when the process has ended. After it was killed, it knows neither. So a process that ended by
 * itself has a `die`, and no `kill` before it.
 */
async function hasEndedByItself(docker: Docker, id: string): Promise<boolean> {
  const events = await docker.getEvents({
    since: 0,
    until: Date.now() / 1000 + WAIT_SECONDS,
    filters: { type: ["container"], container: [id], event: ["die", "kill"] },
  });
  let text = "";
  for await (const chunk of events) {
    text += chunk.toString();
    const [line, ...rest] = text.split("\n");
    // Leaving the loop closes the connection.
    if (line !== undefined && rest.length > 0) return event.parse(JSON.parse(line)).Action === "die";
  }
  return false;
}

// An engine's log of a container, entry by entry.

const HEADER_BYTES = 8;
const STDERR = 2;
const SPACE = 0x20;

/** Each entry of a container's log: a line, or 16 KiB of a longer one. Ends when the container does, or if it is gone. */
export async function* followContainer(
  docker: Docker,
  handle: string,
  { since = 0n, follow, signal }: FollowOptions,
): AsyncGenerator<LogPiece> {
  const container = docker.getContainer(handle);
  // The engine takes seconds as a decimal number; one more microsecond makes up for rounding.
  const period = { since: Math.max(0, Number(since / 1_000n - 1n) / 1e6), timestamps: true };
  const output = { stdout: true, stderr: true, abortSignal: signal };
  let stream: AsyncIterable<Buffer>;
  try {
    stream = follow
      ? toChunks(await container.logs({ ...output, ...period, follow: true }))
      : once(await container.logs({ ...output, ...period, follow: false }));
  } catch (error) {
    // 409: it is being removed.
    if (signal.aborted || isStatus(error, 404, 409)) return;
    throw error;
  }
  try {
    for await (const { isError, entry } of splitFrames(stream)) {
      const piece = readEntry(entry);
      if (piece !== undefined && piece.at >= since) yield { stream: isError ? "stderr" : "stdout", ...piece };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function* toChunks(stream: NodeJS.ReadableStream): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

async function* once(log: Buffer): AsyncGenerator<Buffer> {
  yield log;
}

/** The frames of the engine's log stream: 1 byte stream, 3 bytes zero, 4 bytes length, then the entry. */
async function* splitFrames(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ isError: boolean; entry: Buffer }> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const rest = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    let at = 0;
    while (at + HEADER_BYTES <= rest.length) {
      const end = at + HEADER_BYTES + rest.readUInt32BE(at + 4);
      if (end > rest.length) break;
      yield { isError: rest[at] === STDERR, entry: rest.subarray(at + HEADER_BYTES, end) };
      at = end;
    }
    held = rest.subarray(at);
  }
}

/** An entry begins with its time, such as `2026-11-23T09:21:59.123456789Z`, and a space. */
function readEntry(entry: Buffer): Pick<LogPiece, "at" | "bytes"> | undefined {
  const end = entry.indexOf(SPACE);
  const at = parseLogTime(entry.subarray(0, Math.max(0, end)).toString("latin1"));
  return at === undefined ? undefined : { at, bytes: entry.subarray(end + 1) };
}
