/** Small uploads that cost as much as they may: some are refused late, others are valid. What they cost must not become a neighbor's wait. */
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { MANIFEST_FILE } from "@/lib/contract/platform/manifest-terms";
import {
  createConfig,
  createTar,
  dockerArchive,
  type Item,
  zstdBlock,
  zstdHeader,
} from "@/lib/server/images/archive/test-archives";

const KIB = 1024;
const MIB = 1024 * KIB;

export interface CostlyUpload {
  name: string;
  archive: () => Promise<Buffer>;
}

/** Takes longer than its time limit: 3 million steps of the decoder, and 2.4 GB to hash, in 12 MB. */
export const SMALL_BLOCKS: CostlyUpload = {
  name: "zstd_blocks_of_800_bytes",
  archive: async () =>
    bomb(
      Buffer.concat([zstdHeader(23), Buffer.alloc(12_000_000, zstdBlock(1, 800, Buffer.from([0]), false))]),
    ),
};

export const COSTLY_UPLOADS: readonly CostlyUpload[] = [
  { name: "links_of_4_kb", archive: () => withLayers([longLinks()]) },
  { name: "link_chain", archive: () => withLayers([linkChain()]) },
  { name: "files_between_links", archive: () => withLayers([filesBehindLinks(2)]) },
  { name: "files_behind_links", archive: () => withLayers([filesBehindLinks()]) },
  { name: "whiteouts", archive: () => withLayers([files(30_000, "f"), files(30_000, ".wh.f")]) },
  { name: "pax_headers", archive: () => withLayers([files(20_000, `${"long/".repeat(40)}f`)]) },
  { name: "large_configuration", archive: largeConfiguration },
  {
    name: "many_layers",
    archive: () => withLayers(Array.from({ length: 120 }, (_, at) => files(1, `l${at}-`))),
  },
  { name: "gzip_to_the_limit", archive: async () => bomb(gzipSync(await tarOf(700 * MIB), { level: 1 })) },
  { name: "zstd_to_the_limit", archive: async () => bomb(zstdZeros(8_000)) },
  SMALL_BLOCKS,
];

async function withLayers(layers: readonly Item[][]): Promise<Buffer> {
  const packed = await Promise.all(layers.map((items) => createTar(items)));
  return dockerArchive({ layers: packed, stored: packed.map((layer) => gzipSync(layer)) });
}

function longLinks(): Item[] {
  const link = (at: number): Item => ({
    name: `l${at}`,
    type: "symlink",
    linkname: `${"./".repeat(2_040)}l${at + 1}`,
  });
  const links = Array.from({ length: 39 }, (_, at) => link(at));
  return [...links, { name: MANIFEST_FILE, type: "symlink", linkname: `${"./".repeat(2_040)}l0` }];
}

function linkChain(): Item[] {
  const link = (at: number): Item => ({ name: `l${at}`, type: "symlink", linkname: `l${at + 1}` });
  return Array.from({ length: 20_000 }, (_, at) => link(at));
}

/** Each path goes through 39 links, whose targets are long. @param firsts how many of them files take turns to begin with */
function filesBehindLinks(firsts = 1): Item[] {
  const up = `${"d/../".repeat(400)}`;
  const link = (at: number): Item => ({ name: `l${at}`, type: "symlink", linkname: `${up}l${at + 1}` });
  return [
    { name: "d", type: "directory" },
    ...Array.from({ length: 38 }, (_, at) => link(at)),
    { name: "l38", type: "directory" },
    ...Array.from({ length: 2_000 }, (_, at): Item => ({ name: `l${at % firsts}/f${at}`, content: "" })),
  ];
}

function files(count: number, prefix: string): Item[] {
  return Array.from({ length: count }, (_, at): Item => ({ name: `${prefix}${at}`, content: "" }));
}

/** Almost as long as a document may be, with many steps of its builder. */
async function largeConfiguration(): Promise<Buffer> {
  const layer = await createTar([{ name: "f", content: "" }]);
  const step = { created_by: "RUN true", empty_layer: true };
  const history = Array.from({ length: 20_000 }, () => step);
  if (createConfig({ layers: [layer], history }).length > MIB) throw new Error("it is too long");
  return dockerArchive({ layers: [layer], history });
}

/** As much as a ratio of 200 allows. */
function bomb(stored: Buffer): Promise<Buffer> {
  return dockerArchive({ layers: [Buffer.from("-")], stored: [stored] });
}

/** A file that can't be compressed, and one that can. */
async function tarOf(bytes: number): Promise<Buffer> {
  return createTar([
    { name: "random", content: randomBytes(bytes / 180) },
    { name: "zeros", content: Buffer.alloc(bytes) },
  ]);
}

function zstdZeros(blocks: number): Buffer {
  const random = randomBytes(128 * KIB);
  const zero = Buffer.from([0]);
  const content = Array.from({ length: blocks }, (_, at) =>
    at % 180 === 0
      ? zstdBlock(0, random.length, random, at === blocks - 1)
      : zstdBlock(1, 128 * KIB, zero, at === blocks - 1),
  );
  return Buffer.concat([zstdHeader(23), ...content]);
}
