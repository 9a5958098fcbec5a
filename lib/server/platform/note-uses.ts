/** Notes when credentials are used: at most once a minute for each, written behind the requests. */
import type { Pool } from "pg";
import type { Foundation } from "./platform";
import { reportFailure, reportSuccess } from "./database/repeated-failures";

const FLUSH_MS = 1_000;
const COARSE_MS = 60_000;
/** More credentials than are in use at the same time. Above this, they are forgotten and noted again sooner. */
const MOST = 10_000;

export interface UseNotes<Note> {
  note: (id: string, note: Note) => void;
  /**
   * Resolves when all uses noted before are written, also those that the timer is writing. Only pages need them: if the database
   * is down, they are dropped with a log entry.
   */
  flush: () => Promise<void>;
}

/** @param what names the credentials in the log */
export function createUseNotes<Note>(
  { pool, log }: Foundation,
  what: string,
  write: (pool: Pool, notes: ReadonlyMap<string, Note>) => Promise<unknown>,
): UseNotes<Note> {
  let waiting = new Map<string, Note>();
  /** When each credential was last noted, on this process's monotonic clock. */
  const noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  /** All writes so far. */
  let written = Promise.resolve();

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const notes = waiting;
    waiting = new Map();
    if (notes.size > 0) written = Promise.all([written, writeDown(notes)]).then(() => undefined);
    await written;
  }

  async function writeDown(notes: ReadonlyMap<string, Note>): Promise<void> {
    // Those that were not used for a minute are forgotten.
    for (const [id, at] of noted) if (performance.now() - at > COARSE_MS) noted.delete(id);
    const kind = `note uses of ${what}`;
    await write(pool, notes).then(
      () => reportSuccess(log, kind),
      (err: unknown) =>
        reportFailure(log, kind, { err, level: "warn", message: `uses of ${what} could not be noted` }),
    );
  }

  return {
    note: (id, note) => {
      const now = performance.now();
      if (now - (noted.get(id) ?? -Infinity) < COARSE_MS) return;
      if (noted.size >= MOST) noted.clear();
      noted.set(id, now);
      waiting.set(id, note);
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}
