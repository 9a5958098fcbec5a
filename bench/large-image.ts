/** Archives of an image of about 1 GB: a base layer of programs and libraries, as images have, and a small layer of the app. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, readFile, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import tar from "tar-stream";

const IMAGE_BYTES = 1_000_000_000;
const execute = promisify(execFile);

export interface Archives {
  /** Gzipped as a whole. */
  first: string;
  /** Shares the base layer. */
  second: string;
  /** Of the second image's own layer. */
  secondBytes: number;
}

/** Writes those that are not in the folder yet. */
export async function writeArchives(folder: string): Promise<Archives> {
  await mkdir(folder, { recursive: true });
  const first = path.join(folder, "first.tar.gz");
  const second = path.join(folder, "second.tar");
  const top = 20_000_000;
  const isWritten = await access(first).then(
    () => true,
    () => false,
  );
  if (!isWritten) {
    const base = await writeBase(path.join(folder, "base.tar"));
    await writeArchive(second, base, await writeTop(folder, "1.2.0", top));
    const plain = path.join(folder, "first.tar");
    await writeArchive(plain, base, await writeTop(folder, "1.1.0", top));
    await rm(base);
    await execute("gzip", [plain]);
  }
  return { first, second, secondBytes: top };
}

async function writeBase(file: string): Promise<string> {
  const program = await readFile(process.execPath);
  const pack = tar.pack();
  const written = pipeline(pack, createWriteStream(file));
  for (let at = 0; at * program.length < IMAGE_BYTES; at += 1)
    await addEntry(pack, `usr/lib/part-${at}`, program.subarray(0, IMAGE_BYTES - at * program.length));
  pack.finalize();
  await written;
  return file;
}

async function writeTop(folder: string, version: string, bytes: number): Promise<string> {
  const file = path.join(folder, `top-${version}.tar`);
  const pack = tar.pack();
  const written = pipeline(pack, createWriteStream(file));
  const manifest = { name: "bench/bench", version, app: { fields: [] } };
  await addEntry(pack, "platform-app.json", Buffer.from(JSON.stringify(manifest)));
  const program = await readFile(process.execPath);
  const start = version === "1.1.0" ? 0 : bytes;
  await addEntry(pack, "app/server", program.subarray(start, start + bytes));
  pack.finalize();
  await written;
  return file;
}

/** As `docker save` writes it. */
async function writeArchive(file: string, ...layers: string[]): Promise<void> {
  const digests: string[] = [];
  for (const layer of layers) digests.push(await digestFile(layer));
  const rootfs = { type: "layers", diff_ids: digests.map((hex) => `sha256:${hex}`) };
  const config = Buffer.from(JSON.stringify({ architecture: "amd64", os: "linux", config: {}, rootfs }));
  const configName = `${createHash("sha256").update(config).digest("hex")}.json`;
  const pack = tar.pack();
  const written = pipeline(pack, createWriteStream(file));
  for (const [at, layer] of layers.entries()) {
    const { size } = await stat(layer);
    await pipeline(createReadStream(layer), pack.entry({ name: `${digests[at]}/layer.tar`, size }));
  }
  await addEntry(pack, configName, config);
  const Layers = digests.map((hex) => `${hex}/layer.tar`);
  const document = JSON.stringify([{ Config: configName, RepoTags: null, Layers }]);
  await addEntry(pack, "manifest.json", Buffer.from(document));
  pack.finalize();
  await written;
}

function addEntry(pack: tar.Pack, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    pack.entry({ name }, content, (error) => (error ? reject(error) : resolve()));
  });
}

async function digestFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest("hex");
}
