/** The `platform-app.json` of the folder that is published from. */
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Manifest } from "@/lib/contract/catalog/manifest";
import { checkManifest } from "@/lib/domain/catalog/manifest/check-manifest";
import { compareVersions, manifestVersion, setManifestVersion } from "@/lib/domain/catalog/manifest/version";
import type { Terminal } from "../terminal/environment";
import { Failure } from "../terminal/failure";
import { replaceFile } from "../terminal/replace-file";
import { describeIssues } from "./describe-issues";
import { readManifestFile } from "./manifest-file";

export interface WorkingManifest {
  file: string;
  text: string;
  manifest: Manifest;
}

/** Reads and checks the manifest before anything happens. */
export async function readWorkingManifest(name: string, terminal: Terminal): Promise<WorkingManifest> {
  const { file, text } = await readManifestFile(name);
  const { manifest, issues } = checkManifest(text);
  const lines = describeIssues(issues, { name: path.basename(file), text }, terminal);
  if (!terminal.json) for (const line of lines) terminal.note(line);
  if (manifest === undefined)
    throw new Failure(
      "INVALID_MANIFEST",
      `${path.basename(file)} has errors. Fix them, then run the command again.`,
      {
        issues: terminal.json ? issues : [],
      },
    );
  return { file, text, manifest };
}

/**
 * Writes the published number into the file, and nothing else: what was edited during the upload stays. It is called
 * after the platform has accepted the version, so that a command that is killed leaves the file as it was.
 */
export async function writeVersion(name: string, version: string, terminal: Terminal): Promise<void> {
  try {
    const { file, text } = await readManifestFile(name);
    const written = manifestVersion(text);
    if (written !== undefined && compareVersions(written, version) >= 0) return;
    const target = await realpath(file);
    await replaceFile(target, setManifestVersion(text, version), (await stat(target)).mode & 0o777);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.note(`Version ${version} was published, but ${name} couldn't be updated: ${reason}`);
  }
}
