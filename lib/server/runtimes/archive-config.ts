import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import tar from "tar-stream";
import { z } from "zod";

const imageConfig = z.object({ rootfs: z.object({ diff_ids: z.array(z.string()) }) });

/**
 * The layers that the image's configuration names, read from the stored archive; undefined when the archive does not
 * hold that very configuration.
 */
export async function layersInArchive(
  archivePath: string,
  imageDigest: string,
): Promise<string[] | undefined> {
  const wanted = `${imageDigest.slice("sha256:".length)}.json`;
  const entries = createReadStream(archivePath).pipe(tar.extract());
  for await (const entry of entries) {
    if (entry.header.name !== wanted) {
      entry.resume();
      continue;
    }
    const bytes = await buffer(entry);
    if (`sha256:${createHash("sha256").update(bytes).digest("hex")}` !== imageDigest) return undefined;
    return imageConfig.parse(JSON.parse(bytes.toString("utf8"))).rootfs.diff_ids;
  }
  return undefined;
}
