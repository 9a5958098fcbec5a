import { createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import Docker from "dockerode";
import { readHeader } from "@/lib/server/images/archive/tar-header";
import type { CliEnvironment, Terminal } from "../terminal/environment";
import { Failure, visible } from "../terminal/failure";
import { type Engine, findEngine, findEngines, runEngine, saveImage } from "./engine";

export interface Archive {
  /** Bytes. Approximate for an image of the engine, whose archive is created while it is read. */
  size: number;
  /** Where it is on disk already. */
  file?: string;
  open(): Promise<Readable>;
}

type Environment = CliEnvironment["inherited"];
type Note = Terminal["note"];

/** An archive, otherwise an image of an engine, even if a file or folder has the image's name. */
export async function openSource(environment: Environment, source: string, note: Note): Promise<Archive> {
  const file = await stat(source).catch(() => undefined);
  if (file?.isFile() === true && (isPath(source) || (await isArchive(source))))
    return { size: file.size, file: source, open: async () => createReadStream(source) };
  if (file !== undefined && isPath(source))
    throw new Failure(
      "WRONG_USAGE",
      `${source} is a folder. Pass the name of a local image, or an archive written by \`docker save\`.`,
    );
  if (isPath(source))
    throw new Failure(
      "WRONG_USAGE",
      `The file ${source} does not exist. Check the path, or pass the name of a local image.`,
    );
  return findImage(environment, source, note).catch((error: unknown) => {
    if (file === undefined || !(error instanceof Failure) || error.code !== "NO_IMAGE") throw error;
    const what = file.isFile() ? "a file that is not an image archive" : "a folder";
    throw new Failure("WRONG_USAGE", `${source} is ${what}, and no local image has this name. ${SAVE}`);
  });
}

const SAVE = "Build the image first, or pass an archive written by `docker save`.";

/** Image names have no such start, end or characters. */
function isPath(source: string): boolean {
  return /^[./~]|\.(tar|tgz|tar\.\w+|oci)$|[^\w./:@-]/i.test(source);
}

/** A tar, or something gzipped. */
async function isArchive(file: string): Promise<boolean> {
  const start = await buffer(createReadStream(file, { end: 511 })).catch(() => Buffer.alloc(0));
  if (start[0] === 0x1f && start[1] === 0x8b) return true;
  try {
    return start.length === 512 && readHeader(start) !== undefined;
  } catch {
    return false;
  }
}

/** An image of the engine that builds. */
export async function findBuilt(environment: Environment, name: string): Promise<Archive> {
  const { engine, isInstalled } = await findEngine(environment);
  if (engine !== undefined) return findWithCommand(engine, environment, name);
  if (!isInstalled) return findWithSocket(new Docker(), name);
  throw notRunning("its command gets no response", name);
}

/** An image of any engine on this machine. Docker's comes first, and if Podman has another one with this name, a note says so. */
async function findImage(environment: Environment, name: string, note: Note): Promise<Archive> {
  const { engines, isInstalled } = await findEngines(environment);
  if (engines.length > 0)
    return chooseImage(
      name,
      engines.map((engine) => ({ engine, find: findWithCommand(engine, environment, name) })),
      note,
    );
  if (isInstalled) throw notRunning("its command gets no response", name);
  const sockets = await listSockets(environment);
  return chooseImage(
    name,
    sockets.map((socketPath) => ({
      engine: socketPath ?? "DOCKER_HOST",
      find: findWithSocket(new Docker(socketPath === undefined ? {} : { socketPath }), name),
    })),
    note,
  );
}

interface EngineImage extends Archive {
  id: string;
  /** As the engine writes it. */
  created: string;
}

/** The first engine's that has the image. Otherwise throws that none has it, or why the first one can't say. */
async function chooseImage(
  name: string,
  looked: readonly { engine: string; find: Promise<EngineImage> }[],
  note: Note,
): Promise<EngineImage> {
  const results = await Promise.allSettled(looked.map(({ find }) => find));
  const found = results.flatMap((result, at) =>
    result.status === "fulfilled" ? [{ engine: looked[at]?.engine ?? "", image: result.value }] : [],
  );
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  const [chosen, ...others] = found;
  if (chosen === undefined) throw failures.find(isMissing) ?? failures[0] ?? notRunning("no socket", name);
  const [preferred] = looked;
  if (preferred !== undefined && preferred.engine !== chosen.engine)
    note(
      `Using the image of ${chosen.engine}. ${preferred.engine} ${isMissing(failures[0]) ? `has none named ${name}` : "could not be asked"}.`,
    );
  for (const { engine, image } of others) {
    if (image.id === chosen.image.id) continue;
    const date = ({ created }: EngineImage) => (created === "" ? "" : `, created ${visible(created)}`);
    note(
      `Warning: ${chosen.engine} and ${engine} have different images named ${name}. This is the one of ${chosen.engine}${date(chosen.image)}; that of ${engine} is another one${date(image)}. To publish that one, save it as an archive with \`save --output\`, and pass the file.`,
    );
  }
  return chosen.image;
}

function isMissing(error: unknown): boolean {
  return error instanceof Failure && error.code === "NO_IMAGE";
}

const INSPECT_MS = 30_000;

async function findWithCommand(engine: Engine, environment: Environment, name: string): Promise<EngineImage> {
  const args = ["image", "inspect", "--format", "{{.Id}} {{.Size}} {{.Created}}", name];
  const { status, output, errors } = await runEngine(engine, environment, args, INSPECT_MS);
  const [id = "", size, ...created] = output.trim().split(" ");
  if (status !== 0 || id === "") {
    if (/no such image|not known|not found|invalid reference/i.test(errors)) throw noImage(name);
    throw new Failure("NO_ENGINE", `The container engine reported an error (${errors || "no message"}).`);
  }
  return {
    // Podman leaves out the algorithm.
    id: id.replace(/^sha256:/, ""),
    created: created.join(" "),
    size: Number(size) || 0,
    // By id, so that it is the same image even if the name is moved in the meantime.
    open: async () => saveImage(engine, environment, id),
  };
}

/**
 * The sockets of this machine's engines, Docker's before Podman's, and in each the user's own before the system's. Undefined: the one that
 * DOCKER_HOST names, which no other one replaces. For machines without a command, such as a container of a CI system that shares a socket.
 */
async function listSockets(environment: Environment): Promise<(string | undefined)[]> {
  if (environment.DOCKER_HOST) return [undefined];
  if (process.platform === "win32") return ["//./pipe/docker_engine", "//./pipe/podman-machine-default"];
  const { HOME: home = "", CONTAINER_HOST: podman = "" } = environment;
  const own = environment.XDG_RUNTIME_DIR || `/run/user/${process.getuid?.() ?? 0}`;
  const candidates = [
    path.join(home, ".docker/run/docker.sock"),
    path.join(home, ".docker/desktop/docker.sock"),
    path.join(own, "docker.sock"),
    "/var/run/docker.sock",
    ...(podman.startsWith("unix://") ? [podman.slice("unix://".length)] : []),
    path.join(own, "podman/podman.sock"),
    path.join(home, ".local/share/containers/podman/machine/podman.sock"),
    "/run/podman/podman.sock",
  ];
  const exist = await Promise.all(
    candidates.map((candidate) =>
      access(candidate).then(
        () => true,
        () => false,
      ),
    ),
  );
  return [...new Set(candidates.filter((_candidate, at) => exist[at]))];
}

async function findWithSocket(docker: Docker, name: string): Promise<EngineImage> {
  const {
    Id: id,
    Size: size,
    Created: created,
  } = await docker
    .getImage(name)
    .inspect()
    .catch((error: unknown) => {
      throw engineFailure(error, name);
    });
  // By id, so that it is the same image even if the name is moved in the meantime.
  const saved = docker.getImage(id);
  const open = async () => {
    const stream = await saved.get().catch((error: unknown) => {
      throw engineFailure(error, name);
    });
    return stream instanceof Readable ? stream : new Readable().wrap(stream);
  };
  return { id: id.replace(/^sha256:/, ""), created: String(created), size, open };
}

function engineFailure(error: unknown, name: string): Failure {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 404) return noImage(name);
  if (status !== undefined)
    return new Failure(
      "NO_ENGINE",
      `The container engine reported an error (${error instanceof Error ? error.message : String(status)}).`,
    );
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return notRunning(code, name);
}

function noImage(name: string): Failure {
  return new Failure(
    "NO_IMAGE",
    `No file or local image named "${name}" was found. Build the image first: docker build -t ${name} .`,
  );
}

function notRunning(reason: string, name: string): Failure {
  const hint =
    "Start the engine, or save the image on another machine with `docker save` and publish the archive.";
  return new Failure(
    "NO_ENGINE",
    `No container engine is running (${reason}), and no file named "${name}" was found. ${hint}`,
  );
}
