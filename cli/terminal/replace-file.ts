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

/**
 * Writes a file that only the user can read, for later commands. What the command did is done, whether or not that works: a home folder
 * that can't be written, as in many containers, is worth a note.
 */
export async function rememberPrivately(
  file: string,
  value: unknown,
  note: (line: string) => void,
): Promise<void> {
  try {
    await writePrivateJson(file, value);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    note(
      `Warning: ${file} can't be written (${code}), so later commands won't know about this one. Set XDG_CONFIG_HOME and XDG_STATE_HOME to folders that can be written.`,
    );
  }
}

/** Writes a file that only the user can read. */
export async function writePrivateJson(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, `${JSON.stringify(value, null, 2)}\n`, 0o600);
}
