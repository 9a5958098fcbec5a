import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import Docker from "dockerode";
import { Failure } from "../terminal/failure";

export interface Archive {
  /** Bytes. Approximate for an image of the engine, whose archive is created while it is read. */
  size: number;
  open(): Promise<Readable>;
}

/** A file, otherwise an image of the engine. */
export async function openSource(source: string): Promise<Archive> {
  const archive = await findArchive(source);
  if (archive !== undefined) return archive;
  if (isPath(source))
    throw new Failure(
      "WRONG_USAGE",
      `The file ${source} does not exist. Check the path, or pass the name of a local image.`,
    );
  return findImage(source);
}

/** Image names have no such start, end or characters. */
function isPath(source: string): boolean {
  return /^[./~]|\.(tar|tgz|tar\.\w+|oci)$|[^\w./:@-]/i.test(source);
}

/** Undefined if there is no such file. */
async function findArchive(source: string): Promise<Archive | undefined> {
  const file = await stat(source).catch(() => undefined);
  if (file === undefined) return undefined;
  if (!file.isFile()) {
    throw new Failure(
      "WRONG_USAGE",
      `${source} is a folder. Pass the name of a local image, or an archive written by \`docker save\`.`,
    );
  }
  return { size: file.size, open: async () => createReadStream(source, { highWaterMark: 256 * 1024 }) };
}

export async function findImage(name: string): Promise<Archive> {
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
  if (status === 404) {
    return new Failure(
      "NO_IMAGE",
      `No file or local image named "${name}" was found. Build the image first: docker build -t ${name} .`,
    );
  }
  if (status !== undefined)
    return new Failure(
      "NO_ENGINE",
      `The container engine reported an error (${error instanceof Error ? error.message : String(status)}).`,
    );
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const hint =
    "Start the engine, or save the image on another machine with `docker save` and publish the archive.";
  return new Failure(
    "NO_ENGINE",
    `No container engine is running (${code}), and no file named "${name}" was found. ${hint}`,
  );
}
