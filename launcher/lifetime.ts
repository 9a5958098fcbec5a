/** What was started, ended in reverse order: parts first, then PostgreSQL, then the folder's lock. */
export class Lifetime {
  private readonly ends: (() => Promise<void>)[] = [];
  private readonly kills: (() => void)[] = [];
  private ending = false;

  /** `kill` is for the impatient: at once, without waiting. */
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
      await end().catch((error: unknown) => console.error("While ending:", error));
    }
  }

  kill(): void {
    for (const kill of this.kills) kill();
  }
}
