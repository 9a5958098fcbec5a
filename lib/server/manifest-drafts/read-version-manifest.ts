import type { VersionManifest } from "@/lib/contract/manifest-draft";
import { Problem } from "@/lib/contract/problem";
import type { Platform } from "../platform/platform";
import type { Publisher } from "../versions/publisher";
import { selectVersionManifest } from "./queries";

/** The manifest of one of the listing's versions, as its source text. NOT_FOUND for other organizations. */
export async function readVersionManifest(
  platform: Platform,
  publisher: Publisher,
  listingId: string,
  versionId: string,
): Promise<VersionManifest> {
  const found = await selectVersionManifest(platform.db, publisher.organizationId, listingId, versionId);
  if (found === undefined) throw new Problem("NOT_FOUND");
  return found;
}
