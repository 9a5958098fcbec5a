/** Where `platform-app dev` of a folder can be reached, for other commands of this machine. */
import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { parseJson } from "@/lib/contract/platform/problem";
import { rememberPrivately } from "../terminal/replace-file";
import { devSnapshot, type DevSnapshot } from "./contract/snapshot";

const record = z.object({ url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }), pid: z.int() });

function recordFile(stateFolder: string, folder: string): string {
  const id = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return path.join(stateFolder, "dev", "running", `${id}.json`);
}

/** Returns a function that removes the record, unless another process replaced it. */
export async function noteRunning(
  stateFolder: string,
  folder: string,
  url: string,
  note: (line: string) => void,
): Promise<() => Promise<void>> {
  const file = recordFile(stateFolder, folder);
  await rememberPrivately(file, { url, pid: process.pid }, note);
  return async () => {
    if ((await readRecord(file))?.pid === process.pid) await rm(file, { force: true });
  };
}

/** Undefined if none runs for this folder: a record may be of one that was killed. */
export async function findRunning(
  stateFolder: string,
  folder: string,
): Promise<{ url: string; snapshot: DevSnapshot } | undefined> {
  const found = await readRecord(recordFile(stateFolder, folder));
  if (found === undefined) return undefined;
  const answer = await fetch(new URL("/api/dev/snapshot", found.url), {
    redirect: "error",
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
  const parsed = devSnapshot.safeParse(await answer?.json().catch(() => undefined));
  return parsed.success && parsed.data.folder === folder
    ? { url: found.url, snapshot: parsed.data }
    : undefined;
}

async function readRecord(file: string): Promise<z.infer<typeof record> | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const parsed = record.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}
