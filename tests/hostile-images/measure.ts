/** How a gateway does while something else happens to it. */
import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** State reads per second, sent on time, whether or not the earlier ones are answered. */
const RATE = 100;
const PAGE_BYTES = 4096;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** How long each read of this URL took, in milliseconds, until `until` is settled. */
export async function sampleUntil(url: string, until: Promise<unknown>): Promise<number[]> {
  const reads: Promise<number>[] = [];
  const start = performance.now();
  let isOver = false;
  void until.finally(() => (isOver = true));
  while (!isOver) {
    reads.push(readOnce(url));
    await sleep(Math.max(0, start + (reads.length * 1000) / RATE - performance.now()));
  }
  await until;
  return Promise.all(reads);
}

function readOnce(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a state read returned ${response.statusCode}`));
      response.resume().once("end", () => resolve(performance.now() - start));
    })
      .once("error", reject)
      .end();
  });
}

/** The most memory that the process needs over what it has now. Undefined where the system doesn't tell. */
export function watchMemory(pid: number): { stop: () => Promise<number | undefined> } {
  const read = async () => {
    const pages = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => undefined);
    return pages === undefined ? undefined : Number(pages.split(" ")[1]) * PAGE_BYTES;
  };
  let isOver = false;
  const watching = (async () => {
    const before = await read();
    if (before === undefined) return undefined;
    let most = before;
    while (!isOver) {
      most = Math.max(most, (await read()) ?? 0);
      await sleep(50);
    }
    return most - before;
  })();
  return {
    stop: () => {
      isOver = true;
      return watching;
    },
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function p99(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
}
