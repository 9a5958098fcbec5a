/** What must be ended with the command, in reverse order. One that fails keeps none of the others from ending. */
export class Ending {
  private readonly steps: (() => unknown)[] = [];

  defer(step: () => unknown): void {
    this.steps.push(step);
  }

  async run(): Promise<void> {
    for (const step of this.steps.splice(0).reverse())
      await Promise.resolve()
        .then(step)
        .catch(() => undefined);
  }
}
