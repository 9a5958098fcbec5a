/** Reads an image archive by the platform's own rules, before anything is sent. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { Problem } from "@/lib/contract/platform/problem";
import { listConfigWarnings } from "@/lib/server/images/archive/image-config";
import { inspectArchive } from "@/lib/server/images/archive/read-bundle";
import type { RootManifest } from "@/lib/server/images/archive/root-manifest";
import { TarScanner } from "@/lib/server/images/archive/tar-scanner";
import { Failure } from "../terminal/failure";
import type { ImageContent } from "./image-content";
import type { Archive } from "./open-archive";

export interface InspectedImage extends ImageContent {
  /** Digest of its configuration, as the platform stores it. */
  digest: string;
  manifest: RootManifest;
  /** What keeps it from running, although the platform accepts it. */
  warnings: readonly string[];
  /** Removes the copy of an engine's image. Its layers can't be opened anymore. */
  close(): Promise<void>;
}

/**
 * Throws a `Failure` for what the platform would refuse. Call `close` when the content was read.
 * @param name in messages
 * @param platform which image, if there are several
 */
export async function inspectImage(
  archive: Archive,
  name: string,
  signal: AbortSignal,
  platform?: string,
): Promise<InspectedImage> {
  const folder = await mkdtemp(path.join(tmpdir(), "platform-app-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const file = archive.file ?? (await saveCopy(archive, path.join(folder, "saved"), signal));
    const { image, layers, manifest } = await inspectArchive(file, folder, platform);
    signal.throwIfAborted();
    return {
      digest: image.digest,
      config: image.config,
      layers: layers.map(({ digest, bytes, compression }, at) => {
        const open = image.layers[at]?.source.open ?? (() => empty());
        return { digest, bytes, compression, open };
      }),
      manifest,
      warnings: listConfigWarnings(image.config),
      close,
    };
  } catch (error) {
    await close();
    throw explain(error, name);
  }
}

/** An engine writes its archive once, and not faster when it is asked again. */
async function saveCopy(archive: Archive, file: string, signal: AbortSignal): Promise<string> {
  const source = await archive.open();
  try {
    await pipeline(untilEnd(source), createWriteStream(file, { mode: 0o600 }), { signal });
  } finally {
    source.destroy();
  }
  return file;
}

/** What an engine writes after the end of its tar must not fill the disk. What isn't a tar is refused when it is read. */
async function* untilEnd(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let scanner: TarScanner | undefined = new TarScanner(() => undefined);
  for await (const chunk of source) {
    yield chunk;
    try {
      scanner?.push(chunk);
    } catch {
      scanner = undefined;
    }
    if (scanner?.isEnded === true) return;
  }
}

async function* empty(): AsyncGenerator<Buffer> {}

function explain(error: unknown, name: string): unknown {
  if (error instanceof Problem) {
    const [issue] = error.issues;
    const code = issue?.code === "WRONG_ARCHITECTURE" ? "WRONG_ARCHITECTURE" : "INVALID_IMAGE";
    return new Failure(code, `${name} can't be published. ${error.detail} Nothing was uploaded.`, {
      issues: error.issues,
    });
  }
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return error;
  if (error.code === "ENOSPC")
    return new Failure(
      "NO_IMAGE",
      `${tmpdir()} doesn't have enough space for a copy of ${name}. Free some space, or set TMPDIR to a folder on a larger disk.`,
    );
  return new Failure("NO_IMAGE", `${name} can't be read (${error.message}).`);
}
