import type { Platform } from "../platform/platform";

/** Repeats a sign of life until the returned function is called. If one fails, the next may succeed. */
export function repeat(
  platform: Pick<Platform, "log">,
  everyMs: number,
  sign: () => Promise<unknown>,
): () => void {
  const timer = setInterval(() => {
    sign().catch((error: unknown) => platform.log.warn({ err: error }, "a claim could not be extended"));
  }, everyMs);
  return () => clearInterval(timer);
}
