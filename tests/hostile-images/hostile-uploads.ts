/** Small archives that made the platform work for minutes, or store gigabytes. For tests and `npm run test:hostile-images`. */
import { gzipSync } from "node:zlib";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import {
  createConfig,
  createTar,
  dockerArchive,
  type Item,
  ociArchive,
  toDigest,
  zstdBlock,
  zstdHeader,
} from "@/lib/server/images/archive/test-archives";

const KIB = 1024;

export interface HostileUpload {
  name: string;
  archive: () => Promise<Buffer>;
  /** The issue that it is refused with. */
  code: string;
}

export const HOSTILE_UPLOADS: readonly HostileUpload[] = [
  { name: "zstd_window", archive: zstdWindow, code: "WINDOW_TOO_LARGE" },
  { name: "zstd_sequences", archive: zstdSequences, code: "LAYER_BROKEN" },
  { name: "zstd_empty_blocks", archive: zstdEmptyBlocks, code: "LAYER_BROKEN" },
  { name: "zstd_small_blocks", archive: zstdSmallBlocks, code: "LAYER_BROKEN" },
  { name: "zstd_skippable_frames", archive: zstdSkippableFrames, code: "LAYER_BROKEN" },
  { name: "packed_twice", archive: packedTwice, code: "DECOMPRESSION_BOMB" },
  { name: "zstd_blocks", archive: zstdBlocks, code: "DECOMPRESSION_BOMB" },
  { name: "index_200_200", archive: () => wideIndex(2), code: "TOO_MANY_REFERENCES" },
  { name: "index_200_200_200", archive: () => wideIndex(3), code: "TOO_MANY_REFERENCES" },
  { name: "links_of_4_kb", archive: longLinks, code: "TOO_MANY_ENTRIES" },
  { name: "layers_of_one_blob", archive: repeatedBlob, code: "DECOMPRESSION_BOMB" },
];

/** A window of 1 GiB, which a decoder moves by one block after each of a thousand blocks. */
async function zstdWindow(): Promise<Buffer> {
  const blocks = Array.from({ length: 1000 }, (_, at) => zstdBlock(1, 1, Buffer.from([0]), at === 999));
  return archiveWith(Buffer.concat([zstdHeader(30), ...blocks]));
}

/** One block whose 98,047 sequences each copy 65,539 bytes to behind the block's end. */
async function zstdSequences(): Promise<Buffer> {
  const literals = [0x00];
  const count = [0xff, 0xff, 0xff];
  const oneCodeEach = [0x54, 0, 0, 52];
  const content = Buffer.from([...literals, ...count, ...oneCodeEach, 0x01]);
  return archiveWith(Buffer.concat([zstdHeader(23), zstdBlock(2, content.length, content, true)]));
}

/** 20 million blocks without content, in an archive of 61 KB. */
async function zstdEmptyBlocks(): Promise<Buffer> {
  const empty = zstdBlock(0, 0, Buffer.alloc(0), false);
  return gzipSync(await archiveWith(Buffer.concat([zstdHeader(23), Buffer.alloc(60_000_000, empty)])));
}

/** 15 million blocks of a byte each. */
async function zstdSmallBlocks(): Promise<Buffer> {
  const small = zstdBlock(1, 1, Buffer.from([0]), false);
  return gzipSync(await archiveWith(Buffer.concat([zstdHeader(23), Buffer.alloc(60_000_000, small)])));
}

/** 7.5 million frames that contain nothing. */
async function zstdSkippableFrames(): Promise<Buffer> {
  return gzipSync(await archiveWith(Buffer.alloc(60_000_000, Buffer.from("502a4d1800000000", "hex"))));
}

/** A layer of 900 MiB, 200 times what is in the archive, which is 500 times what is sent. */
async function packedTwice(): Promise<Buffer> {
  const small = zstdBlock(1, 800, Buffer.from([0]), false);
  return gzipSync(await archiveWith(Buffer.concat([zstdHeader(23), Buffer.alloc(4_700_000, small)])));
}

/** 128 KiB for every 4 bytes. */
async function zstdBlocks(): Promise<Buffer> {
  return archiveWith(repeatedZeros(20_000));
}

async function archiveWith(layer: Buffer): Promise<Buffer> {
  return dockerArchive({ layers: [Buffer.from("-")], stored: [layer] });
}

function repeatedZeros(count: number): Buffer {
  const zero = Buffer.from([0]);
  const blocks = Array.from({ length: count }, (_, at) => zstdBlock(1, 128 * KIB, zero, at === count - 1));
  return Buffer.concat([zstdHeader(23), ...blocks]);
}

/** 39 links, each to the next one by way of 1,600 folders, and files that take turns between the first two. */
async function longLinks(): Promise<Buffer> {
  const way = "d/../".repeat(800);
  const link = (at: number): Item => ({
    name: `l${at}`,
    type: "symlink",
    linkname: `${way}${at < 38 ? `l${at + 1}` : "end"}`,
  });
  const folders = ["d", "end"].map((name): Item => ({ name, type: "directory" }));
  const links = Array.from({ length: 39 }, (_, at) => link(at));
  const files = Array.from({ length: 1_500 }, (_, at): Item => ({ name: `l${at % 2}/f${at}` }));
  const layer = await createTar([...folders, ...links, ...files]);
  return dockerArchive({ layers: [layer], stored: [gzipSync(layer)] });
}

/** Indexes of 200 references to the next index, and in the last one to the image. */
async function wideIndex(levels: number): Promise<Buffer> {
  const layer = await createTar([{ name: MANIFEST_FILE, content: "{}" }]);
  const config = createConfig({ layers: [layer] });
  const describe = (content: Buffer) => ({ digest: toDigest(content), size: content.length });
  const manifest = { schemaVersion: 2, config: describe(config), layers: [describe(layer)] };
  const documents = [layer, config, Buffer.from(JSON.stringify(manifest))];
  for (let level = 0; level < levels; level += 1) {
    const below = describe(documents.at(-1) ?? layer);
    documents.push(Buffer.from(JSON.stringify({ manifests: Array.from({ length: 200 }, () => below) })));
  }
  const root = documents.pop() ?? layer;
  const blobs = documents.map((content): Item => ({
    name: `blobs/${toDigest(content).replace(":", "/")}`,
    content,
  }));
  return createTar([{ name: "index.json", content: root }, ...blobs]);
}

/** 20 layers of 63 MiB each, all the same blob of 2 kB. */
async function repeatedBlob(): Promise<Buffer> {
  const manifest = await createTar([{ name: MANIFEST_FILE, content: "{}" }]);
  const blocks = 504;
  const plain = Buffer.alloc(blocks * 128 * KIB);
  const stored = repeatedZeros(blocks);
  return ociArchive([
    {
      layers: [manifest, ...Array.from({ length: 20 }, () => plain)],
      stored: [manifest, ...Array.from({ length: 20 }, () => stored)],
    },
  ]);
}
