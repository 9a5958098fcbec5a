import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

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
