import type { Manifest } from "@/lib/contract/manifest";
import type { Publisher } from "@/lib/domain/actor";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { compareManifests } from "@/lib/domain/manifest/compare/compare-manifests";
import { compareVersions, setManifestVersion } from "@/lib/domain/version";
import type { Db } from "../database/connect";
import type { Platform } from "../platform/platform";
import { selectVersionManifest } from "../versions/queries";
import { selectDraft } from "./queries";
import { storeDraft } from "./save-draft";

interface PublishedManifest {
  listingId: string;
  versionId: string;
  manifest: Manifest;
  manifestText: string;
}

/**
 * Updates the draft to a version that was just published. A draft with the same content gets its number; one without edits
 * since its own version becomes its text. Returns the draft's revision, or undefined if the draft has edits of its own
 * (the editor then shows both) or none was saved. The transaction has locked the listing.
 */
export async function followVersion(
  platform: Platform,
  tx: Db,
  publisher: Publisher,
  published: PublishedManifest,
): Promise<number | undefined> {
  const { listingId, versionId, manifest, manifestText } = published;
  const draft = await selectDraft(tx, listingId);
  const drafted = draft && checkManifest(draft.text).manifest;
  if (draft === undefined || drafted === undefined) return undefined;
  const says = (other: Manifest) => compareManifests(other, drafted).length === 0;
  const store = async (text: string) => {
    const content = { listingId, text, baseVersionId: versionId };
    return (await storeDraft(platform, tx, publisher, content, draft.revision)).revision;
  };
  if (says(manifest)) {
    const isLower = compareVersions(drafted.version, manifest.version) < 0;
    return store(isLower ? setManifestVersion(draft.text, manifest.version) : draft.text);
  }
  if (draft.baseVersionId === null) return undefined;
  const { organizationId } = publisher;
  const base = await selectVersionManifest(tx, organizationId, listingId, draft.baseVersionId);
  const baseManifest = base && checkManifest(base.text).manifest;
  return baseManifest !== undefined && says(baseManifest) ? store(manifestText) : undefined;
}
