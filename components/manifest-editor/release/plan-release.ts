/** What a release of the draft's texts would be, by the rules that the platform has. */
import { Problem } from "@/lib/contract/problem";
import { checkManifest } from "@/lib/domain/manifest/check-manifest";
import { compareManifests, type ManifestChange } from "@/lib/domain/manifest/compare-manifests";
import { bumpVersion, compareVersions } from "@/lib/domain/version";

export type ReleasePlan =
  | { type: "no-image" }
  /** The draft has errors. */
  | { type: "broken"; errors: number }
  | { type: "same"; number: string }
  /** Some of the changes need a new image. */
  | { type: "needs-image"; changes: readonly ManifestChange[] }
  | { type: "ready"; number: string; changes: readonly ManifestChange[] };

export function planRelease(
  newest: { number: string; text: string },
  text: string,
  listingName: string,
): ReleasePlan {
  const { manifest, issues } = checkManifest(text);
  const published = checkManifest(newest.text).manifest;
  const errors = issues.filter(({ severity }) => severity !== "warning").length;
  if (manifest === undefined || published === undefined || manifest.name !== listingName)
    return { type: "broken", errors: Math.max(errors, 1) };
  const changes = compareManifests(published, manifest);
  if (changes.length === 0) return { type: "same", number: newest.number };
  if (changes.some(({ needsImage }) => needsImage)) return { type: "needs-image", changes };
  return { type: "ready", number: numberOf(manifest.version, newest.number), changes };
}

/** The draft's own number where it is the higher one. */
function numberOf(version: string, newest: string): string {
  try {
    return compareVersions(version, newest) > 0 ? version : bumpVersion(newest);
  } catch (error) {
    if (error instanceof Problem) return version;
    throw error;
  }
}
