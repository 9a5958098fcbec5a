import { randomBytes } from "node:crypto";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Failure, visible } from "../terminal/failure";

/** What may be in a folder that counts as empty. */
const IGNORED = new Set([".git", ".DS_Store"]);

/** The names in the folder, except for Git's. Undefined if there is no such folder. */
export async function listFolder(folder: string): Promise<string[] | undefined> {
  try {
    return (await readdir(folder)).filter((name) => !IGNORED.has(name));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return undefined;
    const reason = code === "ENOTDIR" ? "is not a folder" : `can't be read (${String(code)})`;
    throw new Failure("WRONG_USAGE", `${visible(folder)} ${reason}. Choose another folder.`);
  }
}

/**
 * Writes all files, or none: first beside their place, then moved there. No file that exists is changed.
 * @param files by path with slashes
 */
export async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const isNew = (await listFolder(folder)) === undefined;
  const parent = isNew ? path.dirname(folder) : folder;
  const staged = path.join(parent, `.platform-app-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(parent, { recursive: true });
    await mkdir(staged);
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(staged, file)), { recursive: true });
      await writeFile(path.join(staged, file), text);
    }
    if (isNew) await rename(staged, folder);
    else await moveFiles(staged, folder, [...files.keys()]);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Failure("WRONG_USAGE", `${visible(folder)} can't be written (${code}). Choose another folder.`);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

async function moveFiles(from: string, to: string, files: readonly string[]): Promise<void> {
  const moved: string[] = [];
  try {
    for (const file of files) {
      await mkdir(path.dirname(path.join(to, file)), { recursive: true });
      await rename(path.join(from, file), path.join(to, file));
      moved.push(file);
    }
  } catch (error) {
    for (const file of moved) await rm(path.join(to, file), { force: true });
    throw error;
  }
}
