/** Importing and exporting the manifest as a file or through the clipboard. */
import { MANIFEST_LIMITS } from "@/lib/contract/manifest-terms";

/** Kept while the browser's dialog is open: some browsers discard an input that nothing references. */
let chooser: HTMLInputElement | undefined;

/** Browsers allow this only in response to a user action. */
export function chooseFile(onChosen: (files: File[]) => void): void {
  chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".json,application/json";
  chooser.addEventListener("change", () => onChosen([...(chooser?.files ?? [])]));
  chooser.click();
}

/** Keeps a byte order mark, which the checks report. */
export async function readManifestFile(file: Blob): Promise<{ text: string } | { error: string }> {
  if (file.size > MANIFEST_LIMITS.bytes)
    return {
      error: `The file has ${formatSize(file.size)}. A manifest can have at most ${formatSize(MANIFEST_LIMITS.bytes)}.`,
    };
  try {
    const bytes = await file.arrayBuffer();
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError)
      return { error: "The file is not valid UTF-8. Save it as UTF-8, then import it again." };
    return { error: "The file couldn't be read. It may have been moved, or it is a folder." };
  }
}

/** "1.5 MiB"; small sizes in bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${Math.ceil((bytes / 1024 / 1024) * 100) / 100} MiB`;
}

export function downloadText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start reading only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns false where the browser offers no clipboard, as on plain HTTP. */
export async function copyToClipboard(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
