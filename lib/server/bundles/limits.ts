const MIB = 1024 * 1024;

export const BUNDLE_LIMITS = {
  /** Of the upload, and of the archive in it when that is compressed as a whole. */
  archiveBytes: 2048 * MIB,
  /** `docker save` writes three or four entries a layer. */
  archiveEntries: 20_000,
  /** Engines stop at 127. */
  layers: 500,
  /** Of all layers together. Large images have some 100,000. */
  layerEntries: 500_000,
  /** Of all layers together, decompressed. */
  layerBytes: 8192 * MIB,
  /** Of each JSON document in the archive. */
  documentBytes: 4 * MIB,
} as const;

/** Real layers compress 2 to 20 times; beyond this it is a bomb. Small ones may: an empty tar compresses well. */
export function isBomb(bytesIn: number, bytesOut: number): boolean {
  return bytesOut > 64 * MIB && bytesOut > 200 * bytesIn;
}
