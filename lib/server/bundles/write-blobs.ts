/** What the store keeps of a checked image: its layers as uploaded, its configuration, and a manifest that names them. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { CheckedBlob } from "../blobs/keep-blobs";
import { sha256 } from "./archive-index";
import { writeImageManifest } from "./image-manifest";
import type { ReceivedBundle } from "./read-bundle";

export interface WrittenImage {
  /** Of the image's manifest. */
  archiveDigest: string;
  /** Of all blobs together. A repeated layer counts once. */
  archiveBytes: number;
  /** Each blob once, the manifest last: a registry takes it only after what it names. */
  blobs: CheckedBlob[];
}

/** @param folder the upload's; the layers are in it already */
export async function writeBlobs({ image, layers }: ReceivedBundle, folder: string): Promise<WrittenImage> {
  const blobs = new Map<string, CheckedBlob>();
  for (const { digest, bytes, file } of layers)
    if (!blobs.has(digest)) blobs.set(digest, { kind: "blob", digest, bytes, file });
  const config = { digest: image.digest, bytes: image.config.length };
  const manifest = writeImageManifest({ config, layers: [...layers] });
  const archiveDigest = sha256(manifest);
  const files = { config: path.join(folder, "config"), manifest: path.join(folder, "manifest") };
  await writeFile(files.config, image.config, { flag: "wx", mode: 0o600 });
  await writeFile(files.manifest, manifest, { flag: "wx", mode: 0o600 });
  const all: CheckedBlob[] = [
    ...blobs.values(),
    { kind: "blob", ...config, file: files.config },
    { kind: "manifest", digest: archiveDigest, bytes: manifest.length, file: files.manifest },
  ];
  return { archiveDigest, archiveBytes: all.reduce((sum, { bytes }) => sum + bytes, 0), blobs: all };
}
