/** What makes a bundle unacceptable: limits, and the issues that a publisher gets. */
import type { BundleCode } from "@/lib/contract/platform/issue-codes";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import { Problem } from "@/lib/contract/platform/problem";

const MIB = 1024 * 1024;

export const BUNDLE_LIMITS = {
  /** The upload, and the archive in it if that is compressed as a whole. */
  archiveBytes: 2048 * MIB,
  /** `docker save` writes three or four entries per layer. */
  archiveEntries: 20_000,
  /** Docker's limit. */
  layers: 125,
  /** All layers together. Large images have about 100,000. */
  layerEntries: 500_000,
  /** One layer, decompressed. */
  layerBytes: 4096 * MIB,
  /** All layers together, decompressed. */
  imageBytes: 8192 * MIB,
  /** Each JSON document in the archive. */
  documentBytes: 1 * MIB,
  /** In all indexes together. Multi-platform builds have about 20. */
  references: 256,
  /** Names and targets of all symbolic links, in characters, and 96 for each of them and of their folders. A whole Debian has about 9 million. */
  linkText: 16 * MIB,
  /** Characters that following paths looks at, and 24 for each part of a path. An image of 100,000 files needs about 30 million. */
  pathWork: 256 * MIB,
} as const;

/** Real images compress 2 to 20 times. Small ones may compress better, for example an empty tar. */
export function isBomb(bytesIn: number, bytesOut: number): boolean {
  return bytesOut > 64 * MIB && bytesOut > 200 * bytesIn;
}

/** What to do next, by issue code. */
const HINTS = {
  ARCHIVE_BROKEN: "Send an archive written by `docker save`, or an OCI layout as one tar file.",
  NOT_AN_IMAGE: "Send an archive written by `docker save`, or an OCI layout as one tar file.",
  SEVERAL_IMAGES: "Save exactly one image: `docker save <image> -o app.tar`.",
  INDEX_DISAGREES: "Save exactly one image: `docker save <image> -o app.tar`.",
  WRONG_ARCHITECTURE: "Build it with `docker build --platform linux/amd64`.",
  WRONG_DIGEST: "Save the image again.",
  BLOB_MISSING: "Save the image again.",
  UNSAFE_PATH: "Build the image with `docker build`, and save it with `docker save`.",
  LAYER_BROKEN: "Save the image again. Layers must be plain, gzip, or zstd.",
  WINDOW_TOO_LARGE: "Compress layers with a window of at most 128 MiB: `zstd --long=27` or less.",
  TOO_EXPENSIVE: "Send the image as `docker save` wrote it. If the platform is busy, try again later.",
  TOO_MANY_LAYERS: "Combine build steps, or build in stages and copy the result.",
  TOO_MANY_ENTRIES: "Leave out files that the app doesn't need.",
  TOO_MANY_REFERENCES: "Save exactly one image: `docker save <image> -o app.tar`.",
  LAYERS_TOO_LARGE: "Build a smaller image, for example from a slim base image.",
  DECOMPRESSION_BOMB: "Leave large empty files out of the image.",
  MANIFEST_MISSING: `Add \`COPY ${MANIFEST_FILE} /${MANIFEST_FILE}\` to the Dockerfile.`,
  MANIFEST_NOT_A_FILE: `Add \`COPY ${MANIFEST_FILE} /${MANIFEST_FILE}\` to the Dockerfile.`,
  MANIFEST_TWICE: "Build the image with `docker build`.",
  MANIFEST_TOO_LARGE: "Keep documents and images out of it.",
  MANIFEST_NOT_UTF8: "Save the file as UTF-8 without a byte order mark, and build the image again.",
} satisfies Record<BundleCode, string>;

const SHOWN_PATH = 200;

/** @param path in the archive or layer; "" for the whole */
export function badBundle(
  code: BundleCode,
  path: string,
  message: string,
  hint: string = HINTS[code],
): Problem {
  const issue = { code, pointer: path.slice(0, SHOWN_PATH), message, hint, severity: "error" as const };
  return new Problem("BAD_BUNDLE", `${message} ${hint}`, [issue]);
}

export function tooLarge(): Problem {
  return new Problem(
    "TOO_LARGE",
    "The archive is larger than 2 GiB. Build a smaller image, for example from a slim base image.",
  );
}

/** The same chunks. Failing to read one is the sender's fault, so it becomes `problem`, unless it already is a Problem. */
export async function* refuseWith(problem: Problem, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        throw error instanceof Problem ? error : problem;
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
