import { readFile, stat } from "node:fs/promises";
import { releaseNotesInput } from "@/lib/contract/listing-draft";
import { Failure } from "../terminal/failure";

/** No notes that are short enough need more bytes. */
const MOST_BYTES = 1024 * 1024;

/**
 * The release notes of `--notes`: a text, or the content of a file after an `@`. Throws a Failure for wrong usage.
 */
export async function readNotes(option: string): Promise<string> {
  const text = option.startsWith("@") ? await readNotesFile(option.slice(1)) : option;
  const checked = releaseNotesInput.safeParse({ notes: text });
  if (checked.success) return checked.data.notes;
  const [issue] = checked.error.issues;
  throw new Failure("WRONG_USAGE", `--notes: ${issue?.message ?? "This text can't be used."}`);
}

async function readNotesFile(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new Failure("WRONG_USAGE", `--notes: ${file} is larger than 1 MiB.`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof TypeError)
      throw new Failure("WRONG_USAGE", `--notes: ${file} is not valid UTF-8. Save it as UTF-8.`);
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const reason = code === "ENOENT" ? "does not exist" : `can't be read (${code})`;
    throw new Failure("WRONG_USAGE", `--notes: ${file} ${reason}.`);
  }
}
