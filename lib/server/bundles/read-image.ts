import type { ArchiveIndex } from "./archive-index";
import { badBundle } from "./bad-bundle";
import { readDockerLayout } from "./docker-layout";
import type { Image } from "./image";
import { BUNDLE_LIMITS } from "./limits";
import { readOciLayout } from "./oci-layout";

/** The one image of an archive of `docker save` or of an OCI layout; newer engines write both into one archive. */
export async function readImage(index: ArchiveIndex): Promise<Image> {
  const docker = index.entries.has("manifest.json") ? await readDockerLayout(index) : undefined;
  const oci = index.entries.has("index.json") ? await readOciLayout(index) : undefined;
  const image = oci ?? docker;
  if (image === undefined) {
    const hint = "Send an archive that `docker save` wrote, or an OCI layout as one tar.";
    throw badBundle("NOT_AN_IMAGE", "", "The archive holds no container image.", hint);
  }
  if (docker !== undefined && docker.digest !== image.digest) {
    const message = "manifest.json and index.json name different images.";
    throw badBundle(
      "INDEX_DISAGREES",
      "manifest.json",
      message,
      "Save exactly one image: `docker save <image> -o app.tar`.",
    );
  }
  if (image.layers.length > BUNDLE_LIMITS.layers) {
    const message = `The image has ${image.layers.length} layers; at most ${BUNDLE_LIMITS.layers} are allowed.`;
    throw badBundle(
      "TOO_MANY_LAYERS",
      "",
      message,
      "Join build steps, or build in stages and copy the result.",
    );
  }
  return image;
}
