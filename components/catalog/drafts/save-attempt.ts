import { toProblemBody } from "@/lib/client/api";

/** When to save: soon after the last change, never long after the first, and less often after failures. */
const CHANGE_DELAY_MS = 1_000;
const MAX_CHANGE_DELAY_MS = 8_000;
const RETRY_DELAY_MS = 1_000;
const MAX_RETRY_DELAY_MS = 30_000;

export class SaveTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | undefined;
  #failures = 0;

  constructor(private readonly save: () => void) {}

  afterChange(): void {
    // A pending retry will send this change too.
    if (this.#failures > 0 && this.#timer !== undefined) return;
    const now = Date.now();
    this.#waitingSince ??= now;
    const left = this.#waitingSince + MAX_CHANGE_DELAY_MS - now;
    this.schedule(Math.max(0, Math.min(CHANGE_DELAY_MS, left)));
  }

  afterFailure(): void {
    this.schedule(Math.min(RETRY_DELAY_MS * 2 ** this.#failures, MAX_RETRY_DELAY_MS));
    this.#failures += 1;
  }

  schedule(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.stop();
      this.save();
    }, delay);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitingSince = undefined;
  }

  /** After a successful save. */
  reset(): void {
    this.stop();
    this.#failures = 0;
  }
}

// What the failure of a call means for the draft.

type SaveFailure =
  | { type: "stale" }
  /** No response, or a temporary failure: worth a retry. */
  | { type: "offline" }
  | { type: "signed-out" }
  /** What it belongs to was deleted, or isn't the reader's anymore. */
  | { type: "gone" }
  | { type: "refused"; reason: string };

export function classifyFailure(error: unknown): SaveFailure {
  const { code, status, detail, issues } = toProblemBody(error);
  if (code === "STALE_REVISION") return { type: "stale" };
  if (status === 404) return { type: "gone" };
  if (status === 401) return { type: "signed-out" };
  if (status === 429 || (status >= 500 && code !== "STORAGE_FULL")) return { type: "offline" };
  return { type: "refused", reason: issues?.[0]?.message ?? detail };
}
