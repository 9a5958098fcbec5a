/**
 * What a backup is: a folder that is complete as soon as it has its name.
 *
 *     manifest.json         what is in it (`BackupManifest`)
 *     manifest.seal         the manifest's SHA-256, and an HMAC with a key derived from a master key
 *     tables/<name>.copy    the rows of a table, in the text format of COPY
 *     blobs/<hex>           a blob of an image, named by its SHA-256
 *
 * The manifest has the size and SHA-256 of every other file, so the seal covers everything. Nothing that it doesn't name is read, and
 * no name leads out of the folder.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { constants, type FileHandle, lstat, open } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { toHex } from "../../images/blob-store";
import { deriveKey, fingerprint, type Keyring, type MasterKey } from "../../platform/keyring";

export const FORMAT = 1;
/** A blob takes about 110 bytes of the manifest. */
const MOST_MANIFEST_BYTES = 256 * 1024 * 1024;
const MOST_SEAL_BYTES = 4096;
const CHUNK_BYTES = 256 * 1024;

/** A backup can't be made, used or restored. The message says why and how to fix it, and contains no secret. */
export class BackupError extends Error {
  readonly expected = true;
}

const hexDigest = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const size = z.number().int().nonnegative();
const blobShape = z.strictObject({
  /** `archive`: an image that was stored as one file, before images were stored as blobs. */
  kind: z.enum(["blob", "manifest", "archive"]),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  bytes: size,
});
export type BackupBlob = z.infer<typeof blobShape>;

const tableShape = z.strictObject({
  name: identifier,
  columns: z.array(identifier).min(1),
  rows: size,
  bytes: size,
  sha256: hexDigest,
});
export type BackupTable = z.infer<typeof tableShape>;

const manifestShape = z.strictObject({
  format: z.literal(FORMAT),
  id: z.uuid(),
  /** The platform's version. */
  platform: z.string(),
  schema: z.strictObject({ name: z.string(), at: z.number().int(), hash: hexDigest }),
  /** The moment whose state the database had, by its clock. */
  takenAt: z.iso.datetime(),
  /** The master keys that it needs, without the keys. */
  keys: z.array(z.strictObject({ id: z.string(), fingerprint: z.string() })).min(1),
  tables: unique(z.array(tableShape), ({ name }) => name),
  sequences: z.array(
    z.strictObject({ name: identifier, value: z.string().regex(/^-?\d{1,19}$/), called: z.boolean() }),
  ),
  blobs: unique(z.array(blobShape), ({ digest }) => digest),
  /** Blobs that rows name and that the store could not give. */
  lost: z.array(blobShape),
});
export type BackupManifest = z.infer<typeof manifestShape>;

function unique<Item>(list: z.ZodArray<z.ZodType<Item>>, toName: (item: Item) => string) {
  return list.refine((items) => new Set(items.map(toName)).size === items.length, "an entry is there twice");
}

const sealShape = z.strictObject({ sha256: hexDigest, key: z.string(), hmac: hexDigest });

export function writeSeal(manifest: Buffer, master: MasterKey): string {
  const hmac = createHmac("sha256", deriveKey(master, "backup")).update(manifest).digest("hex");
  return `${JSON.stringify({ sha256: sha256(manifest), key: master.id, hmac })}\n`;
}

export const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
export const MANIFEST = "manifest.json";
export const SEAL = "manifest.seal";
export const tableFile = (name: string) => path.join("tables", `${name}.copy`);
export const blobFile = (digest: string) => path.join("blobs", toHex(digest));

export interface Backup {
  folder: string;
  manifest: BackupManifest;
  /** False without master keys: it is whole, but nobody can tell who made it. */
  isSealed: boolean;
}

/**
 * Reads the manifest and checks that nobody changed it, and that the master keys open what the backup contains.
 * @param keyring undefined checks only what can be checked without keys
 */
export async function readBackup(folder: string, keyring: Keyring | undefined): Promise<Backup> {
  for (const name of ["", "tables", "blobs"]) await requireFolder(path.join(folder, name), name === "");
  const content = await readSmall(folder, MANIFEST, MOST_MANIFEST_BYTES);
  const seal = sealShape.safeParse(
    parseJson((await readSmall(folder, SEAL, MOST_SEAL_BYTES)).toString("utf8")),
  );
  if (!seal.success) throw damaged(SEAL, "it was changed or truncated");
  if (seal.data.sha256 !== sha256(content)) throw damaged(MANIFEST, "it was changed or truncated");
  const manifest = parseManifest(content.toString("utf8"));
  if (keyring === undefined) return { folder, manifest, isSealed: false };
  requireKeys(manifest, keyring);
  const master = keyring.byId.get(seal.data.key);
  const hmac = master && createHmac("sha256", deriveKey(master, "backup")).update(content).digest();
  if (hmac === undefined || !timingSafeEqual(hmac, Buffer.from(seal.data.hmac, "hex")))
    throw damaged(SEAL, "it was not made with this platform's master keys, so somebody changed the backup");
  return { folder, manifest, isSealed: true };
}

export function parseManifest(text: string): BackupManifest {
  const value = parseJson(text);
  const { data: format } = z.looseObject({ format: z.number() }).safeParse(value);
  if (format !== undefined && format.format !== FORMAT)
    throw new BackupError(
      `The backup has format ${format.format}, and this platform reads format ${FORMAT}. Restore it with the version that made it${typeof format.platform === "string" ? `: ${format.platform}` : ""}.`,
    );
  const parsed = manifestShape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join(".") || "it";
  throw damaged(MANIFEST, `${where} is not valid (${issue?.message ?? "unknown"})`);
}

/** Throws if a master key is missing, or has the right id and another value. */
function requireKeys({ keys }: BackupManifest, keyring: Keyring): void {
  const faults = keys.flatMap(({ id, fingerprint: expected }) => {
    const master = keyring.byId.get(id);
    if (master === undefined) return [`The backup needs the master key '${id}', which is missing.`];
    if (fingerprint(master) === expected) return [];
    return [`The master key '${id}' is not the backup's: it has the right id but a different value.`];
  });
  if (faults.length === 0) return;
  throw new BackupError(
    `${faults.join("\n")}\nSet PLATFORM_MASTER_KEYS to the keys of the time of the backup. A key that was added since may come first: <new>,<old>. See docs/keys.md.`,
  );
}

interface CheckOptions {
  signal?: AbortSignal;
  onProgress?: (bytes: number) => void;
}

/** Reads every file. Throws for the first that is missing, or whose size or content is not the manifest's. */
export async function checkFiles({ folder, manifest }: Backup, options: CheckOptions = {}): Promise<void> {
  const files = [
    ...manifest.tables.map(({ name, bytes, sha256: digest }) => ({ name: tableFile(name), bytes, digest })),
    ...manifest.blobs.map(({ digest, bytes }) => ({ name: blobFile(digest), bytes, digest: toHex(digest) })),
  ];
  // Sizes first: what was cut is found before gigabytes are read.
  for (const file of files) await (await openFile(folder, file.name, file.bytes)).close();
  for (const { name, bytes, digest } of files) {
    const hash = createHash("sha256");
    for await (const chunk of readFile(folder, name, bytes, options.signal)) {
      hash.update(chunk);
      options.onProgress?.(chunk.length);
    }
    if (hash.digest("hex") !== digest) throw damaged(name, "its content was changed");
  }
}

/** The content of a file of the backup, whose caller verifies it. */
export async function* readFile(
  folder: string,
  name: string,
  bytes: number,
  signal?: AbortSignal,
): AsyncGenerator<Buffer> {
  const handle = await openFile(folder, name, bytes);
  try {
    for (let at = 0; at < bytes;) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, bytes - at));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
      if (bytesRead === 0) throw damaged(name, "it became shorter while it was read");
      at += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Follows no symbolic link, and opens nothing but files. */
async function openFile(folder: string, name: string, bytes: number): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path.join(folder, name), flags).catch((error: unknown) => {
    throw explainUnreadable(name, error);
  });
  const info = await handle.stat();
  if (info.isFile() && info.size === bytes) return handle;
  await handle.close();
  if (!info.isFile()) throw damaged(name, "it is not a file");
  throw damaged(name, `it has ${info.size} bytes instead of ${bytes}`);
}

async function readSmall(folder: string, name: string, most: number): Promise<Buffer> {
  const info = await lstat(path.join(folder, name)).catch((error: unknown) => {
    throw explainUnreadable(name, error);
  });
  if (info.size > most) throw damaged(name, "it is too large");
  const chunks: Buffer[] = [];
  for await (const chunk of readFile(folder, name, info.size)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @param isRoot the operator's own path may be a symbolic link */
async function requireFolder(folder: string, isRoot: boolean): Promise<void> {
  const info = await lstat(isRoot ? `${folder}/.` : folder).catch(() => undefined);
  if (info?.isDirectory() === true) return;
  throw isRoot
    ? new BackupError(`${folder} is not a folder with a backup.`)
    : damaged(path.basename(folder), "the folder is missing");
}

function explainUnreadable(name: string, error: unknown): Error {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT") return damaged(name, "it is missing");
  if (code === "ELOOP") return damaged(name, "it is a symbolic link");
  if (code === "EACCES") return new BackupError(`${name} of the backup can't be read by this user.`);
  return error instanceof Error ? error : new Error(String(error));
}

export function damaged(name: string, what: string): BackupError {
  return new BackupError(`The backup is damaged: ${name}: ${what}. Use another backup.`);
}
