/** What the resumable uploads of one organization read and write: a data store for `@tus/server`. Ids are the blobs' digests. */
import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { Problem } from "@/lib/contract/problem";
import { toStorageProblem } from "../blobs/incoming";
import { openStore } from "../blobs/open-store";
import { countBlobUploads, openBlobUpload, selectOwnBlobs, touchBlobUploads } from "../blobs/queries";
import { createStaged, readStagedBytes, writeStaged } from "../blobs/staged-blobs";
import { untilAborted } from "../bundles/receive-upload";
import { SYSTEM_CLOCK, type Clock } from "../limits/clock";
import type { Platform } from "../platform/platform";
import { requireStorage } from "../versions/storage-quota";

/** Of one organization: more than the layers of several images. */
const MOST_UPLOADS = 1_000;

export class StagingStore extends DataStore {
  override extensions = ["creation", "creation-with-upload"];

  /** @param signal aborts writing, with the reason that the sender gets */
  constructor(
    readonly platform: Platform,
    readonly organizationId: string,
    readonly signal: AbortSignal,
    readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    super();
  }

  /** Throws `QUOTA_EXCEEDED`, `STORAGE_FULL`. Continues an upload that was begun with the same size. */
  override async create(upload: Upload): Promise<Upload> {
    const { platform, organizationId } = this;
    const { id: digest, size: bytes = 0 } = upload;
    const { db, environment } = platform;
    if ((await this.#findOwn(digest)) !== undefined) return upload;
    const known = await db.transaction(async (tx) => {
      const declared = await openBlobUpload(tx, organizationId, { digest, bytes });
      await requireStorage(tx, environment, organizationId);
      if ((await countBlobUploads(tx, organizationId)) > MOST_UPLOADS) throw tooMany();
      return declared;
    });
    await createStaged(environment, { organizationId, digest }, known === bytes).catch((error: unknown) => {
      throw toStorageProblem(error);
    });
    return upload;
  }

  override async getUpload(digest: string): Promise<Upload> {
    const { platform, organizationId } = this;
    const own = await this.#findOwn(digest);
    if (own !== undefined) return new Upload({ id: digest, size: own, offset: own });
    const [upload] = await touchBlobUploads(platform.db, organizationId, [digest]);
    const offset = await readStagedBytes(platform.environment, { organizationId, digest });
    if (upload === undefined || offset === undefined)
      throw new Problem("NOT_FOUND", "This upload was not begun, or it has expired. Begin it again.");
    return new Upload({ id: digest, size: upload.bytes, offset });
  }

  /** Throws `TOO_SLOW`, `STORAGE_FULL`, and the signal's reason. What has arrived until then stays. */
  override async write(content: Readable, digest: string, offset: number): Promise<number> {
    const { platform, organizationId, signal, clock } = this;
    const chunks = untilAborted(content, signal, clock);
    return writeStaged(platform.environment, { organizationId, digest }, offset, chunks).catch(
      (error: unknown) => {
        throw toStorageProblem(error);
      },
    );
  }

  /** The size of a blob that the organization has already stored. What others have stored doesn't exist for it. */
  async #findOwn(digest: string): Promise<number | undefined> {
    const { platform, organizationId } = this;
    const [own] = await selectOwnBlobs(platform.db, organizationId, [digest]);
    return own !== undefined && (await openStore(platform.environment).has(own)) ? own.bytes : undefined;
  }
}

function tooMany(): Problem {
  const detail = `Your organization has more than ${MOST_UPLOADS.toLocaleString("en-US")} unpublished uploads. Publish them, or wait a day until they expire.`;
  return new Problem("QUOTA_EXCEEDED", detail);
}
