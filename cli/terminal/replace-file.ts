import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** Replaces the file atomically: a reader finds all of the old content or all of the new, even after a crash. */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(temporary, content, { mode, flag: "wx" });
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Writes a file that only the user can read. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}
