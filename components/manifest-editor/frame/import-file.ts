/** A file of any bytes becomes text, or a sentence that says why it cannot. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest";

export type ImportedFile = { text: string } | { fault: string };

/** A byte order mark stays: the checks tell of it. */
export async function readManifestFile(file: Blob): Promise<ImportedFile> {
  if (file.size > MANIFEST_LIMITS.bytes)
    return {
      fault: `It has ${sizeText(file.size)}; a manifest has at most ${sizeText(MANIFEST_LIMITS.bytes)}.`,
    };
  try {
    const bytes = await file.arrayBuffer();
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError)
      return { fault: "It is not UTF-8 text. Save it as UTF-8, then import it again." };
    return { fault: "It could not be read. It may have been moved, or be a folder." };
  }
}

/** "1.5 MiB"; small sizes in bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  const size = Math.ceil((bytes / 1024 / 1024) * 100) / 100;
  return `${size} MiB`;
}
