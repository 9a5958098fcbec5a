/** What the resumable uploads of one organization read and write: a data store for `@tus/server`. Ids are the blobs' digests. */
import type { Readable } from "node:stream";
import { DataStore, type Lock, type Locker, Upload } from "@tus/server";
import { Problem } from "@/lib/contract/platform/problem";
import {
  type BlobUpload,
  countBlobUploads,
  openBlobUpload,
  selectOwnBlobs,
  touchBlobUploads,
} from "../../images/blob-queries";
import { openStore } from "../../images/blob-store";
import { toStorageProblem } from "../../images/incoming-folder";
import { untilAborted } from "../../images/receive-upload";
import { openStaging, type Staging } from "../../images/staged-blobs";
import type { Platform } from "../../platform/platform";
import { type Clock, SYSTEM_CLOCK } from "../../platform/requests/share";
import { requireStorage } from "../store-version";

/** Of one organization: more than the layers of several images. */
const MOST_UPLOADS = 1_000;

export class StagingStore extends DataStore {
  override extensions = ["creation", "creation-with-upload"];
  readonly #staging: Staging;
  #writing: Promise<unknown> = Promise.resolve();

  /** @param signal aborts writing, with the reason that the sender gets */
  constructor(
    readonly platform: Platform,
    readonly organizationId: string,
    readonly signal: AbortSignal,
    readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    super();
    this.#staging = openStaging(platform);
  }

  /** Throws `QUOTA_EXCEEDED`, `STORAGE_FULL`. Continues an upload that was begun with the same size. */
  override async create(upload: Upload): Promise<Upload> {
    const { platform, organizationId } = this;
    const { id: digest, size: bytes = 0 } = upload;
    const { db, environment } = platform;
    if ((await this.#findOwn(digest)) !== undefined) return upload;
    const { isKept, ...begun } = await db.transaction(async (tx) => {
      const opened = await openBlobUpload(tx, organizationId, { digest, bytes });
      await requireStorage(tx, environment, organizationId);
      if ((await countBlobUploads(tx, organizationId)) > MOST_UPLOADS) throw tooMany();
      return opened;
    });
    await this.#staging.begin(begun, isKept).catch((error: unknown) => {
      throw toStorageProblem(error);
    });
    return upload;
  }

  override async getUpload(digest: string): Promise<Upload> {
    const own = await this.#findOwn(digest);
    if (own !== undefined) return new Upload({ id: digest, size: own, offset: own });
    const upload = await this.#requireOpen(digest);
    const offset = await this.#staging.measure(upload);
    if (offset === undefined) throw notBegun();
    return new Upload({ id: digest, size: upload.bytes, offset });
  }

  /** Throws `TOO_SLOW`, `STORAGE_FULL`, `WRONG_STATE`, and the signal's reason. What has arrived until then stays. */
  override async write(content: Readable, digest: string, offset: number): Promise<number> {
    const writing = this.#write(content, digest, offset);
    this.#writing = writing.catch(() => {});
    return writing;
  }

  /** Resolves when nothing is being written anymore. The library doesn't wait for that if its request is canceled. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  async #write(content: Readable, digest: string, offset: number): Promise<number> {
    const { signal, clock } = this;
    const upload = await this.#requireOpen(digest);
    const chunks = untilAborted(content, signal, clock);
    return this.#staging.write(upload, offset, chunks).catch((error: unknown) => {
      throw toStorageProblem(error);
    });
  }

  async #requireOpen(digest: string): Promise<BlobUpload> {
    const [upload] = await touchBlobUploads(this.platform.db, this.organizationId, [digest]);
    if (upload === undefined) throw notBegun();
    return upload;
  }

  /** The size of a blob that the organization has already stored. What others have stored doesn't exist for it. */
  async #findOwn(digest: string): Promise<number | undefined> {
    const { platform, organizationId } = this;
    const [own] = await selectOwnBlobs(platform.db, organizationId, [digest]);
    return own !== undefined && (await openStore(platform.environment).has(own)) ? own.bytes : undefined;
  }
}

function notBegun(): Problem {
  return new Problem("NOT_FOUND", "This upload doesn't exist, or it has expired. Start it again.");
}

function tooMany(): Problem {
  const detail = `Your organization has more than ${MOST_UPLOADS.toLocaleString("en-US")} unpublished uploads. Publish them, or wait a day until they expire.`;
  return new Problem("QUOTA_EXCEEDED", detail);
}

// Makes the requests of one upload take turns. `@tus/server` has a lock like this, but it waits in a busy loop.

const PATIENCE_MS = 30_000;

interface Holder {
  /** Asks the request to end. Its connection may be dead, so the next one doesn't wait for it to end by itself. */
  cancel: () => Promise<void> | void;
  ended: Promise<void>;
}

const holders = new Map<string, Holder>();

/**
 * @param store writes what its organization sends. Two organizations never wait for each other, even if they send the same blob.
 * Requests to another gateway don't wait either: the staged bytes decide which one is accepted.
 */
export function uploadLocks(store: StagingStore): Locker {
  return { newLock: (id) => newLock(`${store.organizationId} ${id}`, store) };
}

function newLock(name: string, store: StagingStore): Lock {
  let leave = () => {};
  return {
    lock: async (signal, cancel) => {
      const giveUp = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
      for (let holder = holders.get(name); holder !== undefined; holder = holders.get(name)) {
        await holder.cancel();
        await raceAbort(holder.ended, giveUp);
      }
      const ended = new Promise<void>((resolve) => {
        leave = () => {
          holders.delete(name);
          resolve();
        };
      });
      holders.set(name, { cancel, ended });
    },
    unlock: async () => {
      await store.settle();
      leave();
    },
  };
}

async function raceAbort(ended: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () =>
        reject(new Problem("UNAVAILABLE", "Another request is sending this blob. Try again in a moment."));
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
      void ended.then(resolve);
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
