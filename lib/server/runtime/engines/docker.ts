/** Containers of a Docker Engine (20.10 or newer) or of Podman's socket. Only the worker uses it. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import Docker from "dockerode";
import { z } from "zod";
import { CONTAINER_PORT } from "@/lib/domain/platform/app-limits";
import type { Listening } from "@/lib/domain/runtime/instance";
import { type AppLimits, DEFAULT_APP_LIMITS, DEFAULT_APP_SUBNETS } from "../../platform/environment";
import {
  containerOptions,
  createLabels,
  describeEnd,
  followContainer,
  GUARDED_LABEL,
  OWNER_LABEL,
  readUsage,
  REPLICA_LABEL,
  runContainer,
  VERSION_LABEL,
} from "./docker-container";
import { explainEngineErrors, ignoring, isStatus, joinFrames, readListeners } from "./docker-engine";
import { ensureExampleImage } from "./docker-example-image";
import { ensureImage, type LoadedImages, ownImages } from "./docker-image";
import { createGuard, createGuardedNetwork, type EgressGuard } from "./docker-guard";
import { leaveNetwork, removeGuard } from "./docker-guard-container";
import type { GuardOptions } from "./guard-link";
import { findOrigin, takeSubnets } from "./docker-network";
import { probeFromContainer, removeAbandonedProbes } from "./docker-probe";
import {
  cleanLog,
  type ChangeWatch,
  type Found,
  type Inspection,
  type Runtime,
  type Started,
  type StartOrder,
  type Stopped,
  type Usage,
} from "./runtime";

const LOG_LINES = 400;

/** 128 and the number of SIGKILL. */
const KILLED = 137;
const RECONNECT_MS = 2_000;

const exitEvent = z.object({ id: z.string() });

/** What an engine that doesn't respond may delay. */
const USAGE_MS = 5_000;

function readContainerId(line: string): string {
  return exitEvent.parse(JSON.parse(line)).id;
}

export interface DockerOptions {
  /** The platform's data folder. Its hash labels everything that the platform owns on the engine. */
  dataDir: string;
  /** Contains a folder for each example app. */
  examplesFolder: string;
  /** The range of the apps' subnets. */
  appSubnets?: string;
  /** What each container may use. */
  limits?: AppLimits;
  /** Apps that start from now on reach only what the egress guard lets them, if it is required or can run here. */
  egress?: GuardOptions;
  /** Gets what the engine lacks, once. */
  warn?: (message: string) => void;
}

const infoShape = z.object({ Name: z.string().optional() });

interface Engine {
  docker: Docker;
  /** Labels everything that the platform owns on the engine. */
  owner: string;
  /** Finds that. */
  filters: { label: string[] };
  examplesFolder: string;
  appSubnets: string;
  takeSubnet: ReturnType<typeof takeSubnets>;
  limits: AppLimits;
  loaded: LoadedImages;
  own: ReturnType<typeof ownImages>;
  guard: EgressGuard | undefined;
  warn: (message: string) => void;
  /** Of the engine's machine. */
  readName: () => Promise<string | undefined>;
}

/** Where a guarded app would be reached if the platform had no guard anymore: nothing listens there. */
const NOWHERE = "http://127.0.0.1:9";

/**
 * What labels everything of this platform on an engine. It stays the same if the data folder is moved, and differs where two deployments on one
 * engine have folders of one name, as containers do. A folder that was in use before it had an id gets the one that its path gave it then.
 */
export function readEngineId(dataDir: string): string {
  const file = path.join(dataDir, "engine-id");
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    const isNew = !existsSync(dataDir) || readdirSync(dataDir).length === 0;
    const bytes = isNew ? randomBytes(32) : createHash("sha256").update(dataDir).digest();
    const id = bytes.toString("hex").slice(0, 16);
    try {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      writeFileSync(file, `${id}\n`, { flag: "wx" });
      return id;
    } catch (error) {
      // Another process has just written it.
      if (existsSync(file)) return readFileSync(file, "utf8").trim();
      throw error;
    }
  }
}

export function dockerRuntime(
  {
    dataDir,
    examplesFolder,
    appSubnets = DEFAULT_APP_SUBNETS,
    limits = DEFAULT_APP_LIMITS,
    egress,
    warn,
  }: DockerOptions,
  docker = new Docker(),
): Runtime {
  const owner = readEngineId(dataDir);
  const own = ownImages(docker, owner);
  const takeSubnet = takeSubnets(appSubnets);
  let name: string | undefined;
  const warned = new Set<string>();
  const guard = egress && createGuard({ docker, owner, appSubnets, takeSubnet }, egress);
  const engine: Engine = {
    docker,
    owner,
    filters: { label: [`${OWNER_LABEL}=${owner}`] },
    examplesFolder,
    appSubnets,
    takeSubnet,
    limits,
    loaded: new Map(),
    own,
    guard,
    warn: (message) => {
      if (!warned.has(message)) warn?.(message);
      warned.add(message);
    },
    readName: async () => (name ??= infoShape.parse(await docker.info()).Name),
  };
  return {
    name: "docker",
    isolates: true,
    start: (order) => explainEngineErrors(start(engine, order)),
    stop: (handle, graceSeconds) => stop(engine, handle, graceSeconds),
    inspect: (handle) => explainEngineErrors(inspect(engine, handle)),
    logTail: (handle, bytes, since, until) => logTail(docker, handle, bytes, since, until),
    followLog: (handle, options) => followContainer(docker, handle, options),
    listening: (handle) => listening(docker, handle),
    probe: async (targets) => {
      const chosen = await chooseGuard(engine);
      return explainEngineErrors(probeFromContainer(docker, { ...engine, guard: chosen }, targets));
    },
    egressWay: () =>
      guard === undefined
        ? Promise.resolve({
            way: "open",
            why: "The operator turned the egress guard off (PLATFORM_EGRESS=open).",
          })
        : explainEngineErrors(guard.way()),
    removeAbandonedProbes: () => removeAbandonedProbes(docker, owner),
    usage: (handle) => usage(engine, handle),
    watchChanges: (report) => watchChanges(engine, report),
    list: () => list(engine),
    listNetworks: () => listNetworks(engine),
    removeNetwork: (handle) => removeNetwork(engine, handle),
    removeImages: own.removeUnused,
    ...(guard !== undefined && {
      refreshEgress: () => explainEngineErrors(guard.refresh()),
      listOnOtherWay: () => explainEngineErrors(listUnguarded(engine)),
    }),
    removeGuard: () => removeGuard(docker, owner),
    // Containers outlive the worker, and the next worker adopts them.
    close: async () => {
      guard?.close();
      return [];
    },
  };
}

/** Undefined if apps that start now have the machine's network. */
async function chooseGuard({ guard }: Engine): Promise<EgressGuard | undefined> {
  if (guard === undefined) return undefined;
  return (await explainEngineErrors(guard.way())).way === "guard" ? guard : undefined;
}

async function start(engine: Engine, order: StartOrder): Promise<Started> {
  const { docker, owner, limits, own } = engine;
  const image = await (order.bundleKind === "image"
    ? ensureImage(docker, order, engine.loaded, own)
    : ensureExampleImage(docker, engine.examplesFolder, order));
  await own.noteUse(image);
  await clear(engine, order);
  // One network per replica, so that apps cannot reach each other. The name is unique because the previous network may still be ending.
  const name = `platform-${order.appName}-${randomUUID().slice(0, 8)}`;
  try {
    const { place } = await createGuardedNetwork(engine, {
      name,
      labels: createLabels(owner, order),
      guard: await chooseGuard(engine),
      stateApi: order.environment.PLATFORM_STATE_API,
    });
    const options = containerOptions(owner, order, image, name, limits, place);
    const container = await runContainer(docker, options, engine.warn);
    const inspection = await inspect(engine, container.id);
    // A container that ended at once has no port; the next inspection says why it ended.
    return {
      handle: container.id,
      origin: inspection.running ? inspection.origin : NOWHERE,
      node: await engine.readName(),
    };
  } catch (error) {
    await clear(engine, order);
    throw error;
  }
}

/** Removes all containers and networks of the replica. */
async function clear(engine: Engine, { versionId, replica }: StartOrder): Promise<void> {
  const { docker, filters } = engine;
  const label = [...filters.label, `${VERSION_LABEL}=${versionId}`, `${REPLICA_LABEL}=${replica}`];
  const containers = await docker.listContainers({ all: true, filters: { label } });
  for (const { Id } of containers) await removeContainer(docker, Id);
  const networks = await docker.listNetworks({ filters: { label } });
  for (const { Id } of networks) await removeNetwork(engine, Id);
}

async function stop(engine: Engine, handle: string, graceSeconds: number): Promise<Stopped> {
  const { docker } = engine;
  const container = docker.getContainer(handle);
  try {
    const { State, NetworkSettings } = await container.inspect();
    await ignoring([304, 404], container.stop({ t: graceSeconds }));
    const { ExitCode } = (await container.inspect()).State;
    await removeContainer(docker, handle);
    for (const name of Object.keys(NetworkSettings.Networks)) await removeNetwork(engine, name);
    return State.Running && ExitCode === KILLED ? "killed" : "ended";
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
    return "ended";
  }
}

async function inspect({ docker, guard }: Engine, handle: string): Promise<Inspection> {
  try {
    const container = await docker.getContainer(handle).inspect();
    const { State, NetworkSettings, Config } = container;
    const guardedBy = Config.Labels[GUARDED_LABEL];
    if (State.Running && guardedBy !== undefined) {
      const [network] = Object.values(NetworkSettings.Networks);
      const origin = await guard?.originOf(network?.IPAddress ?? "", guardedBy);
      return { running: true, origin: origin ?? NOWHERE };
    }
    const port = NetworkSettings.Ports[`${CONTAINER_PORT}/tcp`]?.[0]?.HostPort;
    if (State.Running && port !== undefined)
      return { running: true, origin: await findOrigin(Object.values(NetworkSettings.Networks), port) };
    return { running: false, ...(await describeEnd(docker, container)) };
  } catch (error) {
    if (isStatus(error, 404))
      return {
        running: false,
        code: "REMOVED",
        reason: "is gone: its container was removed",
        exitCode: null,
      };
    throw error;
  }
}

async function logTail(
  docker: Docker,
  handle: string,
  bytes: number,
  since = new Date(0),
  until?: Date,
): Promise<string> {
  // The engine counts lines from the end of the log, whatever the period is. The log is at most 2 MiB.
  const end = until === undefined ? { tail: LOG_LINES } : { until: until.getTime() / 1000 };
  try {
    const raw = await docker
      .getContainer(handle)
      .logs({ stdout: true, stderr: true, follow: false, since: since.getTime() / 1000, ...end });
    return cleanLog(joinFrames(raw), bytes);
  } catch (error) {
    if (isStatus(error, 404, 409)) return "";
    throw error;
  }
}

async function listening(docker: Docker, handle: string): Promise<Listening | undefined> {
  const { State } = await docker.getContainer(handle).inspect();
  const listeners = State.Pid > 0 ? await readListeners(State.Pid) : undefined;
  return listeners && { port: CONTAINER_PORT, listeners };
}

async function usage({ docker, limits }: Engine, handle: string): Promise<Usage | undefined> {
  try {
    // Without `one-shot`, the engine waits a second for a second look. Old engines (20.10) wait if they are asked again soon.
    const options = {
      stream: false,
      "one-shot": true,
      abortSignal: AbortSignal.timeout(USAGE_MS),
    } as const;
    return readUsage(await docker.getContainer(handle).stats(options), limits);
  } catch (error) {
    if (isStatus(error, 404, 409)) return undefined;
    throw error;
  }
}

async function list({ docker, filters }: Engine): Promise<Found[]> {
  const containers = await docker.listContainers({ all: true, filters });
  return containers.map(({ Id, Labels }) => ({ handle: Id, versionId: Labels[VERSION_LABEL] ?? "" }));
}

/** Containers from before the guard. None if there is none. */
async function listUnguarded(engine: Engine): Promise<string[]> {
  if ((await chooseGuard(engine)) === undefined) return [];
  const containers = await engine.docker.listContainers({ filters: engine.filters });
  return containers.filter(({ Labels }) => Labels[GUARDED_LABEL] === undefined).map(({ Id }) => Id);
}

/** A network whose container is gone, or was never created. */
async function listNetworks({ docker, filters }: Engine): Promise<Found[]> {
  const networks = await docker.listNetworks({ filters });
  const containers = await docker.listContainers({ all: true, filters });
  const used = new Set(containers.flatMap(({ NetworkSettings }) => Object.keys(NetworkSettings.Networks)));
  return networks
    .filter(({ Name }) => !used.has(Name))
    .map(({ Id, Labels }) => ({ handle: Id, versionId: Labels?.[VERSION_LABEL] ?? "" }));
}

async function listEnded({ docker, filters }: Engine): Promise<string[]> {
  const status = ["exited", "dead"];
  const containers = await docker.listContainers({ all: true, filters: { ...filters, status } });
  return containers.map(({ Id }) => Id);
}

/** Reconnects if the engine ends the stream. */
function watchChanges(engine: Engine, report: (handle: string) => void): ChangeWatch {
  const ended = new AbortController();
  let noteConnected = () => {};
  const connected = new Promise<void>((resolve) => (noteConnected = resolve));
  const watch = async () => {
    while (!ended.signal.aborted) {
      try {
        const events = await engine.docker.getEvents({
          filters: { ...engine.filters, type: ["container"], event: ["die"] },
          abortSignal: ended.signal,
        });
        noteConnected();
        // An engine that restarted ended its containers when nobody was connected.
        for (const handle of await listEnded(engine)) report(handle);
        for await (const line of createInterface({ input: events })) report(readContainerId(line));
      } catch {
        // No engine responds. The health checks say so where it matters.
      }
      await sleep(RECONNECT_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  void watch();
  return { connected, stop: () => ended.abort() };
}

async function removeContainer(docker: Docker, id: string): Promise<void> {
  // 409: it is already being removed.
  await ignoring([404, 409], docker.getContainer(id).remove({ force: true, v: true }));
}

async function removeNetwork({ docker, owner }: Engine, name: string): Promise<void> {
  try {
    await ignoring([404], docker.getNetwork(name).remove());
  } catch (error) {
    if (!isStatus(error, 403)) throw error;
    await leaveNetwork(docker, owner, name);
    // 403: a container in it is being removed, which removes the network too.
    await ignoring([403, 404], docker.getNetwork(name).remove());
  }
}
