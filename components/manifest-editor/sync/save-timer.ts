/** When to save: soon after the last change, never long after the first, and ever later after faults. */
const AFTER_CHANGE_MS = 1_000;
const MOST_WAIT_MS = 8_000;
const FIRST_RETRY_MS = 1_000;
const MOST_RETRY_MS = 30_000;

export class SaveTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitingSince: number | undefined;
  #faults = 0;

  constructor(private readonly save: () => void) {}

  afterChange(): void {
    // After a fault the retry that is on its way sends what is newest then.
    if (this.#faults > 0 && this.#timer !== undefined) return;
    const now = Date.now();
    this.#waitingSince ??= now;
    const left = this.#waitingSince + MOST_WAIT_MS - now;
    this.at(Math.max(0, Math.min(AFTER_CHANGE_MS, left)));
  }

  afterFault(): void {
    this.at(Math.min(FIRST_RETRY_MS * 2 ** this.#faults, MOST_RETRY_MS));
    this.#faults += 1;
  }

  at(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.stop();
      this.save();
    }, wait);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waitingSince = undefined;
  }

  /** Nothing is left to save. */
  settle(): void {
    this.stop();
    this.#faults = 0;
  }
}
