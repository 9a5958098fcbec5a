/** What all supervised processes have in common: PostgreSQL, web, gateway, worker, and the demo's core. */
import { existsSync, renameSync, rmSync } from "node:fs";

const STEADY_MS = 60_000;
const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000];

/** How long to wait before the next restart: longer after each end that follows soon on a start. */
export class RestartPauses {
  private crashes = 0;
  private startedAt = Date.now();

  noteStart(): void {
    this.startedAt = Date.now();
  }

  noteEnd(): number {
    this.crashes = Date.now() - this.startedAt > STEADY_MS ? 0 : this.crashes + 1;
    return PAUSES_MS[Math.min(this.crashes, PAUSES_MS.length - 1)] ?? STEADY_MS;
  }

  reset(): void {
    this.crashes = 0;
  }
}

/** The log of the last start is kept beside it, because it may say why that ended. Older ones go, so that logs don't grow forever. */
export function keepLastLog(file: string): void {
  if (existsSync(file)) renameSync(file, lastLog(file));
  else rmSync(lastLog(file), { force: true });
}

function lastLog(file: string): string {
  return `${file}.last`;
}

/** For the terminal, or for what collects the output. */
export function announce(text: string): void {
  console.warn(text);
}
