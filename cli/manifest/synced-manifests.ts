/** The revision of each file at its last pull or push, to distinguish unchanged files from edited ones. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { withoutVersion } from "@/lib/domain/catalog/manifest/version";
import { rememberPrivately } from "../terminal/replace-file";

const entry = z.object({
  url: z.string(),
  app: z.string(),
  file: z.string(),
  revision: z.int(),
  /** See `contentDigest`. */
  content: z.string(),
});
const shape = z.object({ synced: z.array(entry) });

/** Identifies a file: platform, app, and absolute path. */
export interface SyncedFile {
  url: string;
  app: string;
  file: string;
}

/** Older entries are dropped. Pull and push then treat the file as one they have never seen. */
const MOST_ENTRIES = 500;

/** Undefined if this file was never pulled or pushed from this machine. */
export async function readSynced(stateFile: string, target: SyncedFile) {
  return (await readEntries(stateFile)).find((one) => isAt(one, target));
}

/** @param note gets a warning if it can't be written */
export async function writeSynced(
  { stateFile, note }: { stateFile: string; note: (line: string) => void },
  { url, app, file }: SyncedFile,
  revision: number,
  text: string,
): Promise<void> {
  const others = (await readEntries(stateFile)).filter((one) => !isAt(one, { url, app, file }));
  const synced = [{ url, app, file, revision, content: contentDigest(text) }, ...others].slice(
    0,
    MOST_ENTRIES,
  );
  await rememberPrivately(stateFile, { synced }, note);
}

/** Identifies a text without its version number: publishing and releases raise it, so it is nobody's edit. */
export function contentDigest(text: string): string {
  return createHash("sha256").update(withoutVersion(text)).digest("hex");
}

/** Unreadable state counts as empty, so nothing is overwritten because of it. */
async function readEntries(stateFile: string) {
  const text = await readFile(stateFile, "utf8").catch(() => "");
  return shape.safeParse(parseJson(text)).data?.synced ?? [];
}

function isAt(one: SyncedFile, other: SyncedFile): boolean {
  return one.url === other.url && one.app === other.app && one.file === other.file;
}
