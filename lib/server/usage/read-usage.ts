import type { CapacityUse } from "@/lib/domain/capacity";
import { selectImagesUsed } from "../images/queries";
import { readCapacityUse } from "../instances/reserve-instance";
import type { Platform } from "../platform/platform";
import { readStorageUse, type StorageUse } from "../versions/storage-quota";

const MB = 1_000_000;

export interface Usage {
  capacity: CapacityUse;
  /** Of images. */
  storage: StorageUse;
  /** Of the pictures in its listings. */
  pictures: StorageUse;
  /** How many uploads each gateway accepts at the same time. */
  uploadsAtOnce: number;
}

/** What an organization uses of what it may use. */
export async function readUsage(platform: Platform, organizationId: string): Promise<Usage> {
  const { db, environment } = platform;
  const [capacity, storage, pictures] = await Promise.all([
    readCapacityUse(platform, organizationId),
    readStorageUse(platform, organizationId),
    selectImagesUsed(db, organizationId),
  ]);
  return {
    ...{ capacity, storage },
    pictures: { usedBytes: pictures, quotaBytes: environment.PLATFORM_IMAGE_QUOTA_MB * MB },
    uploadsAtOnce: environment.PLATFORM_SHARE_UPLOADS.each,
  };
}
