/** What hostile archives are made of. Everything random comes from a seed, so that a failure can be repeated. */
import { gzipSync } from "node:zlib";
import {
  createTar,
  dockerArchive,
  type ImageParts,
  type Item,
  ociArchive,
} from "@/lib/server/images/archive/test-archives";

export const ACCEPTED = "ACCEPTED";

export interface HostileCase {
  name: string;
  /** The code of the problem or of one of its issues; `ACCEPTED` for archives that must not be refused. */
  expected: string;
  /** @param version a number that is not published yet */
  archive: (version: string) => Promise<Buffer>;
  /** Takes seconds to build or check: only in the whole run. */
  isSlow?: boolean;
}

/** Mulberry32: small, and the same on every machine. @returns numbers from 0 up to 1 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const APP = "bench/bench";
const MANIFEST = "platform-app.json";

export function manifestText(version: string, more: object = {}): string {
  return JSON.stringify({ name: APP, version, app: { fields: [] }, ...more });
}

export const manifest = (content: string | Buffer): Item => ({ name: MANIFEST, content });
export const link = (name: string, linkname: string): Item => ({ name, type: "symlink", linkname });

const LAYOUTS = {
  docker: (parts: ImageParts) => dockerArchive(parts),
  oci: (parts: ImageParts) => ociArchive([parts]),
};

/** The same layers in both layouts. */
export function inBothLayouts(name: string, expected: string, ...layers: Item[][]): HostileCase[] {
  return Object.entries(LAYOUTS).map(([layout, pack]) => ({
    name: `${name} (${layout})`,
    expected,
    archive: async () => pack({ layers: await Promise.all(layers.map(createTar)) }),
  }));
}

/** A layer as bytes, plain and gzipped. Its manifest is valid unless the layer says otherwise. */
export function asLayer(name: string, expected: string, layer: () => Promise<Buffer>): HostileCase[] {
  return [
    {
      name: `${name} (plain layer)`,
      expected,
      archive: async () => dockerArchive({ layers: [await layer()] }),
    },
    {
      name: `${name} (gzip layer)`,
      expected,
      archive: async () => {
        const bytes = await layer();
        return dockerArchive({ layers: [bytes], stored: [gzipSync(bytes)] });
      },
    },
  ];
}

/** Writes a header's field and corrects the checksum. @param at of the header */
export function patchHeader(tarball: Buffer, at: number, field: number, value: string | Buffer): Buffer {
  const copy = Buffer.from(tarball);
  copy.set(Buffer.from(value), at + field);
  copy.fill(" ", at + 148, at + 156);
  const sum = copy.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, at + 148, "latin1");
  return copy;
}
