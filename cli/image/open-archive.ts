import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import Docker from "dockerode";
import type { CliEnvironment } from "../terminal/environment";
import { readHeader } from "@/lib/server/images/archive/tar-scanner";
import { Failure } from "../terminal/failure";
import { type Engine, findEngine, runEngine, saveImage } from "./engine";

export interface Archive {
  /** Bytes. Approximate for an image of the engine, whose archive is created while it is read. */
  size: number;
  /** Where it is on disk already. */
  file?: string;
  open(): Promise<Readable>;
}

type Environment = CliEnvironment["inherited"];

/** An archive, otherwise an image of the engine, even if a file or folder has the image's name. */
export async function openSource(environment: Environment, source: string): Promise<Archive> {
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
  return findImage(environment, source).catch((error: unknown) => {
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

export async function findImage(environment: Environment, name: string): Promise<Archive> {
  const { engine, isInstalled } = await findEngine(environment);
  if (engine !== undefined) return findWithCommand(engine, environment, name);
  if (!isInstalled) return findWithSocket(name);
  throw notRunning("its command gets no response", name);
}

const INSPECT_MS = 30_000;

async function findWithCommand(engine: Engine, environment: Environment, name: string): Promise<Archive> {
  const args = ["image", "inspect", "--format", "{{.Id}} {{.Size}}", name];
  const { status, output, errors } = await runEngine(engine, environment, args, INSPECT_MS);
  const [id = "", size] = output.trim().split(" ");
  if (status !== 0 || id === "") {
    if (/no such image|not known|not found|invalid reference/i.test(errors)) throw noImage(name);
    throw new Failure("NO_ENGINE", `The container engine reported an error (${errors || "no message"}).`);
  }
  // By id, so that it is the same image even if the name is moved in the meantime.
  return { size: Number(size) || 0, open: async () => saveImage(engine, environment, id) };
}

/** Without a command, such as in a container of a CI system that shares the engine's socket. */
async function findWithSocket(name: string): Promise<Archive> {
  const image = new Docker().getImage(name);
  const { Id: id, Size: size } = await image.inspect().catch((error: unknown) => {
    throw engineFailure(error, name);
  });
  // By id, so that it is the same image even if the name is moved in the meantime.
  const saved = new Docker().getImage(id);
  const open = async () => {
    const stream = await saved.get().catch((error: unknown) => {
      throw engineFailure(error, name);
    });
    return stream instanceof Readable ? stream : new Readable().wrap(stream);
  };
  return { size, open };
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
