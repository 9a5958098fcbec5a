/** Ends what was started in reverse order: first the parts, then PostgreSQL, then the lock of the data folder. */
export class Lifetime {
  private readonly ends: (() => Promise<void>)[] = [];
  private readonly kills: (() => void)[] = [];
  private ending = false;

  /** @param kill ends it at once, without waiting */
  own(end: () => Promise<void>, kill?: () => void): void {
    this.ends.push(end);
    if (kill !== undefined) this.kills.push(kill);
  }

  get isEnding(): boolean {
    return this.ending;
  }

  async end(): Promise<void> {
    this.ending = true;
    for (let end = this.ends.pop(); end !== undefined; end = this.ends.pop()) {
      await end().catch((error: unknown) => console.error("While stopping:", error));
    }
  }

  kill(): void {
    for (const kill of this.kills) kill();
  }
}
