/** What `docker save` writes: `manifest.json` names the configuration and the layers. */
import { z } from "zod";
import { entryOf, readDocument, sha256, type ArchiveIndex } from "./archive-index";
import { badBundle } from "./bad-bundle";
import { parseConfig, parseDocument, requirePlatform, type Image } from "./image";

const manifestShape = z.array(z.looseObject({ Config: z.string(), Layers: z.array(z.string()) }));

export async function readDockerLayout(index: ArchiveIndex): Promise<Image> {
  const document = await readDocument(index, entryOf(index, "manifest.json"));
  const [image, ...others] = parseDocument(manifestShape, document, "manifest.json");
  if (image === undefined || others.length > 0) {
    const message = `The archive holds ${image === undefined ? "no image" : `${others.length + 1} images`}.`;
    throw badBundle(
      "SEVERAL_IMAGES",
      "manifest.json",
      message,
      "Save exactly one: `docker save <image> -o app.tar`.",
    );
  }
  const config = await readDocument(index, entryOf(index, image.Config));
  const digest = sha256(config);
  const promised = /([0-9a-f]{64})(\.json)?$/.exec(image.Config)?.[1];
  if (promised !== undefined && `sha256:${promised}` !== digest) {
    throw badBundle(
      "WRONG_DIGEST",
      image.Config,
      "The image's configuration is not the one that its name promises.",
      "Save the image again.",
    );
  }
  const { architecture, os, rootfs } = parseConfig(config, image.Config);
  requirePlatform([`${os}/${architecture}`]);
  return {
    config,
    digest,
    layers: pairLayers(
      image.Layers.map((name) => ({ entry: entryOf(index, name) })),
      rootfs.diff_ids,
    ),
  };
}

/** Each layer with the digest that the configuration promises for it. */
export function pairLayers<Layer extends object>(
  layers: readonly Layer[],
  diffIds: readonly string[],
): (Layer & { diffId: string })[] {
  if (layers.length !== diffIds.length) {
    const message = `The image has ${layers.length} layers and its configuration names ${diffIds.length}.`;
    throw badBundle("WRONG_DIGEST", "", message, "Save the image again.");
  }
  return layers.map((layer, at) => ({ ...layer, diffId: diffIds[at] ?? "" }));
}
