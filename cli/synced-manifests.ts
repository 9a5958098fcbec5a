/** Which revision each file held when it was last pulled or pushed: what tells an untouched file from an edited one. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { parseJson } from "@/lib/contract/parse-json";
import { writePrivateJson } from "./private-file";

const entry = z.object({
  url: z.string(),
  app: z.string(),
  file: z.string(),
  revision: z.int(),
  sha256: z.string(),
});
const shape = z.object({ synced: z.array(entry) });

/** Of which platform, which app and which file; the file's path is absolute. */
export interface SyncedPlace {
  url: string;
  app: string;
  file: string;
}

/** Older ones are forgotten; then pull and push ask before they write, as for a file they have never seen. */
const MOST_ENTRIES = 500;

/** Undefined when this file was never pulled or pushed from here. */
export async function readSynced(stateFile: string, place: SyncedPlace) {
  return (await readEntries(stateFile)).find((one) => isAt(one, place));
}

export async function writeSynced(
  stateFile: string,
  { url, app, file }: SyncedPlace,
  revision: number,
  bytes: Buffer,
): Promise<void> {
  const others = (await readEntries(stateFile)).filter((one) => !isAt(one, { url, app, file }));
  const synced = [{ url, app, file, revision, sha256: digestOf(bytes) }, ...others].slice(0, MOST_ENTRIES);
  await writePrivateJson(stateFile, { synced });
}

export function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A state that cannot be read is one that knows nothing: nothing is overwritten because of it. */
async function readEntries(stateFile: string) {
  const text = await readFile(stateFile, "utf8").catch(() => "");
  return shape.safeParse(parseJson(text)).data?.synced ?? [];
}

function isAt(one: SyncedPlace, other: SyncedPlace): boolean {
  return one.url === other.url && one.app === other.app && one.file === other.file;
}
