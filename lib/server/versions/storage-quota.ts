/** How much an organization's images may take in the platform's store. */
import { Problem } from "@/lib/contract/problem";
import type { Db } from "../database/connect";
import type { Environment } from "../platform/environment";
import type { Platform } from "../platform/platform";
import { selectBlobBytes } from "../blobs/queries";
import { lockOrganization, selectOldArchiveBytes } from "./queries";

const MB = 1_000_000;

export interface StorageUse {
  usedBytes: number;
  quotaBytes: number;
}

export async function readStorageUse(
  { db, environment }: Platform,
  organizationId: string,
): Promise<StorageUse> {
  return { usedBytes: await measure(db, organizationId), quotaBytes: getQuota(environment) };
}

/**
 * Call it after the rows of the blobs are inserted. Until the transaction ends, the organization can't store more, so that
 * publications can't pass the check at once. Throws `QUOTA_EXCEEDED`.
 */
export async function requireStorage(
  tx: Db,
  environment: Environment,
  organizationId: string,
): Promise<void> {
  await lockOrganization(tx, organizationId);
  const used = await measure(tx, organizationId);
  const quota = getQuota(environment);
  if (used <= quota) return;
  const detail = `With this version, your organization's images would take ${toMb(used)}, which is more than its limit of ${toMb(quota)}. Publish a smaller image, or ask the platform's operator for more storage.`;
  throw new Problem("QUOTA_EXCEEDED", detail);
}

/** Images share blobs, which count once. */
async function measure(db: Db, organizationId: string): Promise<number> {
  return (await selectBlobBytes(db, organizationId)) + (await selectOldArchiveBytes(db, organizationId));
}

function getQuota({ PLATFORM_STORAGE_QUOTA_MB }: Environment): number {
  return PLATFORM_STORAGE_QUOTA_MB * MB;
}

function toMb(bytes: number): string {
  return `${Math.ceil(bytes / MB).toLocaleString("en-US")} MB`;
}
