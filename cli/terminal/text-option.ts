import { readFile, stat } from "node:fs/promises";
import { Failure } from "./failure";

/** No text that is short enough needs more bytes. */
const MOST_BYTES = 1024 * 1024;

interface TextOptions {
  /** A byte order mark of the file is part of the text. */
  keepsMark?: boolean;
}

/** The text of an option: as it was typed, or the content of a file after an `@`. @param flag such as `--notes` */
export async function readTextOption(
  flag: string,
  value: string,
  { keepsMark = false }: TextOptions = {},
): Promise<string> {
  if (!value.startsWith("@")) return value;
  const file = value.slice(1);
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new Failure("WRONG_USAGE", `${flag}: ${file} is larger than 1 MiB.`);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: keepsMark }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof TypeError)
      throw new Failure("WRONG_USAGE", `${flag}: ${file} is not valid UTF-8. Save it as UTF-8.`);
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const reason = code === "ENOENT" ? "does not exist" : `can't be read (${code})`;
    throw new Failure("WRONG_USAGE", `${flag}: ${file} ${reason}.`);
  }
}
