/** Notes when credentials are used: at most once a minute for each, written behind the requests. */
import type { Pool } from "pg";
import type { Platform } from "./platform";

const FLUSH_MS = 1_000;
const COARSE_MS = 60_000;
/** More credentials than are in use at the same time. Above this, they are forgotten and noted again sooner. */
const MOST = 10_000;

interface Uses<Note> {
  waiting: Map<string, Note>;
  /** When each credential was last noted, on this process's monotonic clock. */
  noted: Map<string, number>;
  timer: NodeJS.Timeout | undefined;
}

interface UseNotes<Note> {
  note(platform: Platform, id: string, note: Note): void;
  /** Writes the pending notes. Only pages need them: if the database is down, they are dropped with a log entry. */
  flush(platform: Platform): Promise<void>;
}

/** @param what names the credentials in the log */
export function createUseNotes<Note>(
  what: string,
  write: (pool: Pool, notes: ReadonlyMap<string, Note>) => Promise<unknown>,
): UseNotes<Note> {
  const byPlatform = new WeakMap<Platform, Uses<Note>>();

  async function flush(platform: Platform): Promise<void> {
    const uses = byPlatform.get(platform);
    if (uses === undefined) return;
    clearTimeout(uses.timer);
    uses.timer = undefined;
    const notes = uses.waiting;
    uses.waiting = new Map();
    if (notes.size === 0) return;
    // Those that were not used for a minute are forgotten.
    for (const [id, at] of uses.noted) if (performance.now() - at > COARSE_MS) uses.noted.delete(id);
    await write(platform.pool, notes).catch((error: unknown) =>
      platform.log.warn({ err: error }, `uses of ${what} could not be noted`),
    );
  }

  return {
    note: (platform, id, note) => {
      let uses = byPlatform.get(platform);
      if (uses === undefined) {
        uses = { waiting: new Map(), noted: new Map(), timer: undefined };
        byPlatform.set(platform, uses);
      }
      const now = performance.now();
      if (now - (uses.noted.get(id) ?? -Infinity) < COARSE_MS) return;
      if (uses.noted.size >= MOST) uses.noted.clear();
      uses.noted.set(id, now);
      uses.waiting.set(id, note);
      uses.timer ??= setTimeout(() => void flush(platform), FLUSH_MS).unref();
    },
    flush,
  };
}
