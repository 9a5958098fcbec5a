/**
 * Where the bytes of blobs are while publishers send them. Nothing here is verified: publishing a staged blob copies and checks it.
 * Rows (`blob_uploads`) say which uploads there are; what has arrived of them is in one of two places:
 *
 * - one file for each blob on the gateway's disk, if the data folder is the store: there is one machine;
 * - in pieces in the registry otherwise, so that any gateway can go on with any upload.
 *
 * Pieces are blobs of the store themselves. It has a piece whole or not at all, and the
 * database decides which one continues its upload:
 *
 * | from     | to       | when                                                            | statement                           |
 * | -------- | -------- | --------------------------------------------------------------- | ----------------------------------- |
 * | (none)   | writing  | 8 MiB have arrived, or a request has ended                      | `insertPiece`                       |
 * | writing  | accepted | the store has it, and the upload is still where it begins       | `acceptPiece`                       |
 * | writing  | (none)   | another request was faster, or the store failed                 | `deletePiece`                       |
 * | writing  | (none)   | its gateway was killed; a day later                             | `deleteOldPieces`                   |
 * | accepted | (none)   | the upload was published, has expired, or started over          | `deletePiecesOf`, `deleteOldPieces` |
 *
 * So a gateway that is killed loses at most one piece, and the next one knows where to go on. A registry's own upload sessions can't do
 * that: Debian's registry ends a session whose request broke, with all bytes that it had.
 */
import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Problem } from "@/lib/contract/platform/problem";
import type { Db } from "../platform/database/connect";
import type { Environment } from "../platform/environment";
import type { Platform } from "../platform/platform";
import { type BlobUpload, deleteBlobUploads } from "./blob-queries";
import { BlobChanged, BlobMissing, type BlobStore, openStore, toHex } from "./blob-store";
import { bundleFolder, createIncomingFolder, removeIncomingFolder } from "./incoming-folder";
import {
  acceptPiece,
  countPieces,
  deleteOldPieces,
  deletePiece,
  deletePiecesOf,
  insertPiece,
  type Piece,
  selectPieces,
} from "./piece-queries";

/** Both pass the suite in `staged-blobs.test.ts`. */
export interface Staging {
  /** The caller has just inserted the row. @param isKept whether what arrived before stays */
  begin(upload: BlobUpload, isKept: boolean): Promise<void>;
  /** How many bytes have arrived; undefined if this place doesn't know the upload. */
  measure(upload: BlobUpload): Promise<number | undefined>;
  /**
   * Adds the content from `offset` on, and returns where it ends. What arrives before the content fails stays.
   * Throws `WRONG_STATE` if another request was faster.
   */
  write(upload: BlobUpload, offset: number, content: AsyncIterable<Buffer>): Promise<number>;
  /** A file in the folder with all bytes of a complete upload. Undefined if some were lost: they have to be sent again. */
  place(upload: BlobUpload, folder: string): Promise<string | undefined>;
  /** The caller deletes the rows in a transaction that is still open. */
  forget(uploads: readonly BlobUpload[]): Promise<void>;
  /** Removes what is left of uploads whose rows were deleted. */
  clear(uploads: readonly BlobUpload[]): Promise<void>;
  /** Removes all that is left from before this moment. */
  clearOld(before: Date): Promise<void>;
}

export function openStaging(platform: Pick<Platform, "db" | "environment">): Staging {
  const { environment } = platform;
  return environment.PLATFORM_REGISTRY_URL === ""
    ? stageInFiles(environment)
    : stageInPieces(platform, openStore(environment));
}

/** Files `<data>/bundles/uploads/<organization>/<hex>`. A file's size is how much of the blob has arrived. */
export function stageInFiles(environment: Environment): Staging {
  const toPath = ({ organizationId, digest }: BlobUpload) =>
    path.join(bundleFolder(environment), "uploads", organizationId, toHex(digest));
  return {
    begin: async (upload, isKept) => {
      const file = toPath(upload);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await (await open(file, isKept ? "a" : "w", 0o600)).close();
    },
    measure: (upload) =>
      stat(toPath(upload)).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return undefined;
          throw error;
        },
      ),
    // Two requests that write the same blob at once write the same bytes to the same places.
    write: async (upload, offset, content) => {
      const handle = await open(toPath(upload), "r+");
      let position = offset;
      try {
        for await (const chunk of content) {
          for (let at = 0; at < chunk.length;)
            at += (await handle.write(chunk, at, chunk.length - at, position + at)).bytesWritten;
          position += chunk.length;
        }
      } finally {
        await handle.close();
      }
      return position;
    },
    place: async (upload, folder) => {
      // The scan reads it through a name of its own, because another publication may remove the staged one.
      const file = path.join(folder, `staged-${toHex(upload.digest)}`);
      await link(toPath(upload), file);
      return file;
    },
    forget: async (uploads) => {
      for (const upload of uploads) await rm(toPath(upload), { force: true });
    },
    clear: async () => {},
    clearOld: async () => {},
  };
}

const PIECE_BYTES = 8 * 1024 * 1024;

/** Of one upload. The largest blob takes 4,096 in the smallest chunks of the command line. */
const MOST_PIECES = 5_000;

/**
 * Random bytes before each piece: no other piece and no blob has its digest. So it can be removed without asking who else needs it, and
 * nobody can find out by its digest what others are sending.
 */
const SALT_BYTES = 16;

/** Removed in one transaction, at once. */
const BATCH = 16;

export function stageInPieces(
  { db, environment }: Pick<Platform, "db" | "environment">,
  store: BlobStore,
  pieceBytes = PIECE_BYTES,
): Staging {
  const toName = (digest: string) => ({ kind: "blob", digest }) as const;

  async function write(upload: BlobUpload, offset: number, content: AsyncIterable<Buffer>): Promise<number> {
    const folder = await createIncomingFolder(environment);
    try {
      let position = offset;
      for await (const written of cut(content, path.join(folder, "piece"), pieceBytes)) {
        await add(
          { uploadId: upload.id, position, bytes: written.bytes, digest: written.digest },
          written.file,
        );
        position += written.bytes;
      }
      return position;
    } finally {
      await removeIncomingFolder(folder);
    }
  }

  async function add(piece: Piece, file: string): Promise<void> {
    if ((await countPieces(db, piece.uploadId)) >= MOST_PIECES) throw tooMany();
    await insertPiece(db, piece);
    let isAccepted = false;
    try {
      await store.adopt({ ...toName(piece.digest), bytes: SALT_BYTES + piece.bytes }, file);
      isAccepted = await db.transaction((tx) => acceptPiece(tx, piece));
    } catch (error) {
      // Whatever stays although this fails, too, is removed a day later.
      await discard(piece).catch(() => {});
      throw error;
    }
    if (isAccepted) return;
    await discard(piece).catch(() => {});
    throw outrun();
  }

  async function discard({ digest }: Piece): Promise<void> {
    await store.remove(toName(digest));
    await deletePiece(db, digest);
  }

  async function place(upload: BlobUpload, folder: string): Promise<string | undefined> {
    const file = path.join(folder, `staged-${toHex(upload.digest)}`);
    const handle = await open(file, "wx", 0o600);
    try {
      let position = 0;
      for (const piece of await selectPieces(db, upload.id)) {
        if (piece.position !== position) break;
        let skipped = 0;
        for await (const chunk of await store.read(toName(piece.digest))) {
          const salt = Math.min(SALT_BYTES - skipped, chunk.length);
          skipped += salt;
          await handle.writeFile(chunk.subarray(salt));
        }
        position += piece.bytes;
      }
      if (position === upload.bytes) return file;
    } catch (error) {
      if (!(error instanceof BlobMissing || error instanceof BlobChanged)) throw error;
    } finally {
      await handle.close();
    }
    const lost = await deleteBlobUploads(db, upload.organizationId, [upload.digest]);
    await clear(lost).catch(() => {});
    return undefined;
  }

  async function removeBatches(take: (tx: Db) => Promise<string[]>): Promise<void> {
    for (let batch = BATCH; batch === BATCH;)
      batch = await db.transaction(async (tx) => {
        const digests = await take(tx);
        await Promise.all(digests.map((digest) => store.remove(toName(digest))));
        return digests.length;
      });
  }

  async function clear(uploads: readonly BlobUpload[]): Promise<void> {
    const ids = uploads.map(({ id }) => id);
    if (ids.length > 0) await removeBatches((tx) => deletePiecesOf(tx, ids, BATCH));
  }

  return {
    begin: async () => {},
    measure: async ({ received }) => received,
    write,
    place,
    forget: async () => {},
    clear,
    clearOld: (before) => removeBatches((tx) => deleteOldPieces(tx, before, BATCH)),
  };
}

interface WrittenPiece {
  file: string;
  /** With the salt. */
  digest: string;
  /** Without it. */
  bytes: number;
}

/** Writes the content into one file after another. What has arrived before the content fails is a piece, too. */
async function* cut(
  content: AsyncIterable<Buffer>,
  prefix: string,
  most: number,
): AsyncGenerator<WrittenPiece> {
  const chunks = content[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  let failed: { reason: unknown } | undefined;
  let isEnded = false;
  try {
    for (let number = 0; !isEnded && failed === undefined; number += 1) {
      const file = `${prefix}-${number}`;
      const handle = await open(file, "wx", 0o600);
      const salt = randomBytes(SALT_BYTES);
      const hash = createHash("sha256").update(salt);
      let bytes = 0;
      try {
        await handle.writeFile(salt);
        while (bytes < most) {
          if (rest.length === 0) {
            try {
              const next = await chunks.next();
              isEnded = next.done === true;
              if (next.done === true) break;
              rest = next.value;
            } catch (reason) {
              failed = { reason };
              break;
            }
          }
          const part = rest.subarray(0, most - bytes);
          rest = rest.subarray(part.length);
          await handle.writeFile(part);
          hash.update(part);
          bytes += part.length;
        }
      } finally {
        await handle.close();
      }
      if (bytes > 0) yield { file, digest: `sha256:${hash.digest("hex")}`, bytes };
    }
  } finally {
    if (!isEnded && failed === undefined) await chunks.return?.();
  }
  if (failed !== undefined) throw failed.reason;
}

function outrun(): Problem {
  const detail =
    "Another request has continued this upload, or ended it. Ask how much has arrived (HEAD), then continue from there.";
  return new Problem("WRONG_STATE", detail);
}

function tooMany(): Problem {
  const detail = `This blob arrived in ${MOST_PIECES.toLocaleString("en-US")} parts, which is the limit. Send 512 KiB or more in each request: wait a day until the upload expires, then begin again.`;
  return new Problem("QUOTA_EXCEEDED", detail);
}
