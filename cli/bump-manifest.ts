import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "@/lib/contract/manifest";
import { checkManifest } from "@/lib/domain/manifest/check/check-manifest";
import { bumpVersion, setManifestVersion } from "@/lib/domain/version";
import { Failure, issueLines } from "./failure";
import { readManifestFile } from "./manifest-file";
import type { Terminal } from "./environment";

export interface WorkingManifest {
  file: string;
  /** The file's bytes, to restore it. */
  original: Buffer;
  manifest: Manifest;
}

/** Reads and checks the manifest before anything is changed. */
export async function readManifest(file: string, terminal: Terminal): Promise<WorkingManifest> {
  const { bytes: original, text } = await readManifestFile(file);
  const { manifest, issues } = checkManifest(text);
  if (manifest === undefined)
    throw new Failure(`${path.basename(file)} has errors. Fix them, then publish again.`, issues);
  for (const line of issueLines(issues, path.basename(file))) terminal.note(line);
  return { file, original, manifest };
}

/** Raises the version in the file, then runs. If that fails or is aborted, restores the file byte for byte. */
export async function withBumpedManifest<T>(
  { file, original, manifest }: WorkingManifest,
  terminal: Terminal,
  run: (version: string) => Promise<T>,
): Promise<T> {
  const version = bumpVersion(manifest.version);
  const bumped = Buffer.from(setManifestVersion(original.toString("utf8"), version));
  try {
    await writeFile(file, bumped);
    return await run(version);
  } catch (error) {
    await undo(file, original, bumped, terminal);
    throw error;
  }
}

/** Keeps what somebody else wrote in the meantime. */
async function undo(file: string, original: Buffer, bumped: Buffer, terminal: Terminal): Promise<void> {
  const now = await readFile(file);
  if (now.equals(bumped)) await writeFile(file, original);
  else if (!now.equals(original))
    terminal.note(
      `${file} was changed during the upload, so its version was not restored. Check the version.`,
    );
}
