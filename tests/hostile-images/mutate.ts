/** Archives that differ from honest ones in a few places. */
import { gzipSync } from "node:zlib";
import { createTar, dockerArchive, ociArchive, toZstdFrame } from "@/lib/server/images/archive/test-archives";
import { createRandom, manifest, manifestText, patchHeader } from "./case";

export async function honestArchives(version: string): Promise<Buffer[]> {
  const layer = await createTar([
    manifest(manifestText(version)),
    { name: "bin", type: "symlink", linkname: "usr/bin" },
    { name: "usr/bin/node", content: "x".repeat(900) },
  ]);
  const docker = await dockerArchive({ layers: [layer] });
  return [
    docker,
    await ociArchive([{ layers: [layer] }]),
    gzipSync(docker),
    await dockerArchive({ layers: [layer], stored: [toZstdFrame(layer)] }),
  ];
}

/** One to four changes of `archive`. The same seed gives the same bytes. */
export function mutate(archive: Buffer, seed: number): Buffer {
  const random = createRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes: Buffer = Buffer.from(archive);
  for (let left = 1 + below(4); left > 0 && bytes.length > 0; left -= 1) {
    const at = below(bytes.length);
    const end = Math.min(bytes.length, at + 1 + below(2 ** below(12)));
    const header = Math.floor(at / 512) * 512;
    switch (below(7)) {
      case 0:
        bytes[at] = below(256);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([below(256), below(256)]),
          bytes.subarray(at),
        ]);
        break;
      case 4:
        bytes = bytes.subarray(0, at);
        break;
      default:
        // A header whose checksum is right again gets further.
        if (header + 512 <= bytes.length)
          bytes = patchHeader(bytes, header, below(345), Buffer.from([below(256)]));
    }
  }
  return bytes;
}
