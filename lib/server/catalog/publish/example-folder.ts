import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The folder of the demo's small apps, which differ only in their manifests. */
const SHARED = "small-app";

/** Where the files of an example app are: its own folder, or the one that small apps share. */
export function findExampleFolder(examplesFolder: string, appName: string): string {
  const own = path.join(examplesFolder, path.basename(appName));
  return existsSync(own) ? own : path.join(examplesFolder, SHARED);
}

/** The digest of names and contents of all files, which identifies a version that was created from a folder. */
export async function digestFolder(folder: string): Promise<{ digest: string; bytes: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const hash = createHash("sha256");
  let bytes = 0;
  for (const file of files.sort()) {
    const content = await readFile(file);
    hash.update(`${path.relative(folder, file)}\0${content.length}\0`).update(content);
    bytes += content.length;
  }
  return { digest: `sha256:${hash.digest("hex")}`, bytes };
}
