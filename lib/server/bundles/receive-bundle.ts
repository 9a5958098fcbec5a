import path from "node:path";
import { MANIFEST_FILE } from "@/lib/contract/names";
import type { Environment } from "../platform/environment";
import { indexArchive } from "./archive-index";
import { badBundle } from "./bad-bundle";
import { withIncomingFolder } from "./bundle-store";
import { readImage } from "./read-image";
import { receiveArchive } from "./receive-archive";
import { scanLayers } from "./scan-layers";
import { writeArchive, type WrittenArchive } from "./write-archive";

export interface ReceivedBundle {
  /** `sha256:…` of the image's configuration: the engine's image id. */
  imageDigest: string;
  /** The manifest's source text, as it is in the image. */
  manifestText: string;
  /** Writes the normalised archive into the upload's folder; call it once the manifest is accepted. */
  write(): Promise<WrittenArchive>;
}

/** Hands `use` a checked image on the store's disk; what `use` does not keep is gone afterwards. */
export function receiveBundle<T>(
  environment: Environment,
  archive: NodeJS.ReadableStream,
  use: (bundle: ReceivedBundle) => Promise<T>,
): Promise<T> {
  return withIncomingFolder(environment, async (folder) => {
    const index = await indexArchive(await receiveArchive(archive, folder));
    const image = await readImage(index);
    const { layers, manifest } = await scanLayers(index, image);
    return use({
      imageDigest: image.digest,
      manifestText: decodeManifest(manifest),
      write: () => writeArchive(index, image, layers, path.join(folder, "normalised")),
    });
  });
}

function decodeManifest(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badBundle(
      "MANIFEST_NOT_UTF8",
      MANIFEST_FILE,
      `${MANIFEST_FILE} is no UTF-8 text.`,
      "Save the file as UTF-8 without BOM.",
    );
  }
}
