import { z } from "zod";
import { findEntry, openLayer, readDocument, sha256, type ArchiveIndex } from "./archive-index";
import { badBundle, BUNDLE_LIMITS } from "./bad-bundle";
import { pairLayers, parseConfig, parseDocument, requirePlatform, type Image } from "./image";
import { withoutVolumes } from "./image-config";
import { readOciLayout } from "./oci-layout";

/** The one image of an archive. Newer engines write both layouts into one archive. */
export async function readImage(index: ArchiveIndex): Promise<Image> {
  const docker = index.entries.has("manifest.json") ? await readDockerLayout(index) : undefined;
  const oci = index.entries.has("index.json") ? await readOciLayout(index) : undefined;
  const image = oci ?? docker;
  if (image === undefined) throw badBundle("NOT_AN_IMAGE", "", "The archive contains no container image.");
  if (docker !== undefined && docker.digest !== image.digest) {
    const message = "manifest.json and index.json refer to different images.";
    throw badBundle("INDEX_DISAGREES", "manifest.json", message);
  }
  if (image.layers.length > BUNDLE_LIMITS.layers) {
    const message = `The image has ${image.layers.length} layers; at most ${BUNDLE_LIMITS.layers} are allowed.`;
    throw badBundle("TOO_MANY_LAYERS", "", message);
  }
  return withoutVolumes(image);
}

const manifestShape = z.array(z.looseObject({ Config: z.string(), Layers: z.array(z.string()) }));

/** The layout of `docker save`: `manifest.json` names the configuration and the layers. */
async function readDockerLayout(index: ArchiveIndex): Promise<Image> {
  const document = await readDocument(findEntry(index, "manifest.json"));
  const [image, ...others] = parseDocument(manifestShape, document, "manifest.json");
  if (image === undefined || others.length > 0) {
    const count = image === undefined ? "no image" : `${others.length + 1} images`;
    throw badBundle("SEVERAL_IMAGES", "manifest.json", `The archive contains ${count}.`);
  }
  const config = await readDocument(findEntry(index, image.Config));
  const digest = sha256(config);
  const expected = /([0-9a-f]{64})(\.json)?$/.exec(image.Config)?.[1];
  if (expected !== undefined && `sha256:${expected}` !== digest) {
    const message = "The image's configuration doesn't match the digest in its name.";
    throw badBundle("WRONG_DIGEST", image.Config, message);
  }
  const { architecture, os, rootfs } = parseConfig(config, image.Config);
  requirePlatform([`${os}/${architecture}`]);
  const layers = image.Layers.map((name) => ({ source: openLayer(findEntry(index, name)) }));
  return { config, digest, layers: pairLayers(layers, rootfs.diff_ids) };
}
