/** Puts the blobs of an image into the store while it is published. */
import { randomUUID } from "node:crypto";
import type { Db } from "../database/connect";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import type { SizedBlob } from "./blob-store";
import { openStore } from "./open-store";
import { deleteUnpublished, touchBlobs } from "./queries";

export interface CheckedBlob extends SizedBlob {
  /** A file in an incoming folder that contains it. Undefined if it came from the store. */
  file?: string;
}

export interface KeptBlobs {
  /** Removes what only this publication has stored. Call it if the version was not added. */
  release(): Promise<void>;
}

/**
 * Rows first, so that nothing is in the store that the clean-up doesn't know. Blobs that are already stored are not written.
 * @param requireRoom throws if the organization may not store this much; runs with the rows in place
 */
export async function keepBlobs(
  { db, environment }: Platform,
  organizationId: string,
  blobs: readonly CheckedBlob[],
  requireRoom: (tx: Db) => Promise<void>,
): Promise<KeptBlobs> {
  const store = openStore(environment);
  const publicationId = randomUUID();
  const added = await db.transaction(async (tx) => {
    const digests = await touchBlobs(tx, organizationId, publicationId, blobs);
    await requireRoom(tx);
    return digests;
  });
  const release = () =>
    db.transaction(async (tx) => {
      const unused = await deleteUnpublished(tx, organizationId, publicationId, added);
      for (const blob of unused) await store.remove(blob);
    });
  try {
    for (const { file, ...blob } of blobs) {
      if (await store.has(blob)) continue;
      if (file === undefined) throw removed();
      await store.adopt(blob, file);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/** Nobody had needed it for a day, and the clean-up was faster. */
function removed(): Problem {
  return new Problem(
    "UNAVAILABLE",
    "A layer of this image was removed from the platform while it was published. Publish again to send it.",
  );
}
