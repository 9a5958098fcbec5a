import { checkManifest } from "@/lib/domain/manifest/check-manifest";
import { compareManifests } from "@/lib/domain/manifest/compare-manifests";
import type { NewestVersion } from "./queries";

/** Does this text say something else than the published version? Layout and the version number do not count. */
export function differsFrom(
  published: Pick<NewestVersion, "manifest" | "manifestText">,
  text: string,
): boolean {
  if (text === published.manifestText) return false;
  const { manifest } = checkManifest(text);
  return manifest === undefined || compareManifests(published.manifest, manifest).length > 0;
}
