import { setTimeout as sleep } from "node:timers/promises";
import { describeIsolation } from "@/lib/domain/isolation/judge-isolation";
import { getPageUrl } from "@/lib/server/isolation/check-isolation";
import { readIsolation } from "@/lib/server/isolation/read-isolation";
import type { Platform } from "@/lib/server/platform/platform";

const POLL_MS = 2_000;
/** A worker that started less than a minute ago has checked, and this start repeats what it found. */
const REPEAT_AFTER_MS = 15_000;

/** Prints what the worker finds that apps can reach, once per result that differs from the last. Returns how to end it. */
export function watchIsolation(platform: Platform, print: (line: string) => void): () => Promise<void> {
  const ended = new AbortController();
  const running = run(platform, print, ended.signal).catch((error: unknown) => {
    if (!ended.signal.aborted) console.error("What apps can reach can't be read:", error);
  });
  return () => {
    ended.abort();
    return running;
  };
}

async function run(platform: Platform, print: (line: string) => void, signal: AbortSignal): Promise<void> {
  const startedAt = new Date();
  let printed = "";
  while (!signal.aborted) {
    const isolation = await readIsolation(platform);
    const isNew = isolation.checkedAt !== null && new Date(isolation.checkedAt) >= startedAt;
    const isLate = Date.now() - startedAt.getTime() > REPEAT_AFTER_MS;
    const text = describeIsolation(isolation, getPageUrl(platform)).join("\n");
    if ((isNew || isLate) && text !== "" && text !== printed) {
      print(text);
      printed = text;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}
