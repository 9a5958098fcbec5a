import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import Docker from "dockerode";
import { EXIT, Failure } from "./failure";

export interface Archive {
  /** Bytes; about right for an image of the engine, whose archive is made while it is read. */
  size: number;
  open(): Promise<Readable>;
}

/** A file when there is one of that name, otherwise an image of the local engine. */
export async function findArchive(source: string): Promise<Archive | undefined> {
  const file = await stat(source).catch(() => undefined);
  if (file === undefined) return undefined;
  if (!file.isFile()) {
    throw new Failure(
      `${source} is a folder. Name an image of the local engine, or an archive that \`docker save\` wrote.`,
      [],
      EXIT.usage,
    );
  }
  return { size: file.size, open: async () => createReadStream(source, { highWaterMark: 256 * 1024 }) };
}

export async function findImage(name: string): Promise<Archive> {
  const image = new Docker().getImage(name);
  const { Id: id, Size: size } = await image.inspect().catch((error: unknown) => {
    throw engineFailure(error, name);
  });
  // By id, not by name: the same image, even when the name moves on meanwhile.
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
      `There is no file and no image of the local engine named "${name}". Build it first: docker build -t ${name} .`,
    );
  }
  if (status !== undefined)
    return new Failure(
      `The container engine refused (${error instanceof Error ? error.message : String(status)}).`,
    );
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  const mend = "Start it, or save the image elsewhere with `docker save` and publish the archive.";
  return new Failure(
    `No container engine answers here (${code}), and there is no file named "${name}". ${mend}`,
  );
}
