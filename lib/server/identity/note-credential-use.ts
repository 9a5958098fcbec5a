/** Notes when core credentials are used: at most once a minute for each, written behind the requests. */
import type { Platform } from "../platform/platform";
import { touchCredentials } from "./core-credential-queries";

const FLUSH_MS = 1_000;
const COARSE_MS = 60_000;

interface Uses {
  waiting: Set<string>;
  /** When each credential was last noted, on this process's monotonic clock. */
  noted: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
}

const byPlatform = new WeakMap<Platform, Uses>();

export function noteCredentialUse(platform: Platform, credentialId: string): void {
  let uses = byPlatform.get(platform);
  if (uses === undefined) {
    uses = { waiting: new Set(), noted: new Map(), timer: undefined };
    byPlatform.set(platform, uses);
  }
  const now = performance.now();
  if (now - (uses.noted.get(credentialId) ?? -Infinity) < COARSE_MS) return;
  uses.noted.set(credentialId, now);
  uses.waiting.add(credentialId);
  uses.timer ??= setTimeout(() => void flushCredentialUses(platform), FLUSH_MS).unref();
}

/** Only pages need these notes: if the database is down, they are dropped with a log entry. */
export async function flushCredentialUses(platform: Platform): Promise<void> {
  const uses = byPlatform.get(platform);
  if (uses === undefined) return;
  clearTimeout(uses.timer);
  uses.timer = undefined;
  const ids = [...uses.waiting];
  uses.waiting.clear();
  if (ids.length === 0) return;
  // Those that were not used for a minute are forgotten.
  for (const [id, at] of uses.noted) if (performance.now() - at > COARSE_MS) uses.noted.delete(id);
  await touchCredentials(platform.pool, ids).catch((error: unknown) =>
    platform.log.warn({ err: error }, "uses of core credentials could not be noted"),
  );
}
