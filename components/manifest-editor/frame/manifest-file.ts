/** A file of any bytes becomes text, or a sentence that says why it cannot. */

import { MANIFEST_LIMITS } from "@/lib/contract/manifest";

type ImportedFile = { text: string } | { fault: string };

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

/** Held while the browser's own dialog is open: some throw away an input that nobody holds. */
let chooser: HTMLInputElement | undefined;

/** Lets a person choose one file; must be called by what they pressed. */
export function chooseFile(chosen: (files: File[]) => void): void {
  chooser = document.createElement("input");
  chooser.type = "file";
  chooser.accept = ".json,application/json";
  chooser.addEventListener("change", () => chosen([...(chooser?.files ?? [])]));
  chooser.click();
}

/** What leaves the editor for the person's machine. */

/** Downloads exactly the text. */
export function downloadText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers begin to read only after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** False where the browser offers no clipboard (plain http on another host than localhost). */
export async function copyToClipboard(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
