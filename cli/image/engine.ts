/**
 * The container engine of this machine. Its command is asked first, because it alone knows contexts, DOCKER_HOST and engines without
 * root: whatever builds, reads and runs an image then means the same engine.
 */
import { spawn } from "node:child_process";
import { Transform } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../terminal/failure";

type Environment = Readonly<Record<string, string | undefined>>;
export type Engine = "docker" | "podman";

/** How an engine says that it responds. */
const PROBES = {
  docker: ["version", "--format", "{{.Server.Os}}"],
  podman: ["info"],
} as const satisfies Record<Engine, readonly string[]>;
const PROBE_MS = 10_000;

const ENGINES = ["docker", "podman"] as const;

interface FoundEngine {
  /** The first one that responds. */
  engine: Engine | undefined;
  /** Whether one of the commands was found, even if its engine doesn't respond. */
  isInstalled: boolean;
}

/** The engine that builds and runs. */
export async function findEngine(environment: Environment): Promise<FoundEngine> {
  let isInstalled = false;
  for (const engine of ENGINES) {
    const { status, isFound } = await runEngine(engine, environment, PROBES[engine], PROBE_MS);
    if (status === 0) return { engine, isInstalled: true };
    isInstalled ||= isFound;
  }
  return { engine: undefined, isInstalled };
}

/** All that respond. */
export async function findEngines(
  environment: Environment,
): Promise<{ engines: Engine[]; isInstalled: boolean }> {
  const probed = await Promise.all(
    ENGINES.map((engine) => runEngine(engine, environment, PROBES[engine], PROBE_MS)),
  );
  return {
    engines: ENGINES.filter((_engine, at) => probed[at]?.status === 0),
    isInstalled: probed.some(({ isFound }) => isFound),
  };
}

interface EngineResult {
  /** Null if the command wasn't found, or didn't end in time. */
  status: number | null;
  isFound: boolean;
  output: string;
  errors: string;
}

export async function runEngine(
  engine: string,
  environment: Environment,
  args: readonly string[],
  timeoutMs: number,
): Promise<EngineResult> {
  const child = startEngine(engine, environment, args);
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    // What it has started may keep them open.
    child.stdout.destroy();
    child.stderr.destroy();
  }, timeoutMs);
  const status = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  let isFound = true;
  child.once("error", () => (isFound = false));
  const read = [child.stdout, child.stderr].map((stream) => text(stream).catch(() => ""));
  const [output = "", errors = ""] = await Promise.all(read);
  const result = { status: await status, isFound, output, errors: errors.trim().replaceAll("\n", " ") };
  clearTimeout(timer);
  return result;
}

/** In a group of its own, so that Ctrl-C doesn't end what cleans up. */
function startEngine(engine: string, environment: Environment, args: readonly string[]) {
  return spawn(engine, args, {
    env: { ...environment, NODE_ENV: "production" },
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** After the last byte of an archive, the command ends at once. If it doesn't, nobody waits for it. */
const END_MS = 2_000;

/** The archive of an image. Once it is read or destroyed, nothing is left of the command that writes it. */
export function saveImage(engine: Engine, environment: Environment, id: string): Transform {
  const child = startEngine(engine, environment, ["save", id]);
  const errors = text(child.stderr).catch(() => "");
  const ended = new Promise<number | null>((resolve) => {
    child.once("exit", resolve).once("error", () => resolve(null));
  });
  const archive = new Transform({
    highWaterMark: 256 * 1024,
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => {
      void Promise.race([ended, sleep(END_MS, 0, { ref: false })])
        .then(async (status) => (status === 0 ? null : saveFailure(engine, await errors)))
        .then(done);
    },
  });
  child.stdout.on("error", (error) => archive.destroy(error)).pipe(archive);
  archive.once("close", () => {
    child.stdout.destroy();
    child.stderr.destroy();
    child.kill("SIGKILL");
  });
  return archive;
}

function saveFailure(engine: Engine, errors: string): Failure {
  return new Failure("NO_ENGINE", `\`${engine} save\` failed (${errors.trim() || "no message"}).`);
}

/**
 * Whether containers get a first process of the engine's, as on the platform. Docker says so; Podman refuses to create one
 * if it has none.
 */
export async function supportsInit(
  engine: string,
  environment: Environment,
  image: string,
): Promise<boolean> {
  const run = (...args: string[]) => runEngine(engine, environment, args, PROBE_MS);
  if (engine === "docker") {
    const { status, output } = await run("info", "--format", "{{.InitCommit.ID}}");
    return status === 0 && !["", "N/A"].includes(output.trim());
  }
  const { status, output } = await run("create", "--init", image);
  if (status === 0) await run("rm", "-f", output.trim());
  return status === 0;
}
