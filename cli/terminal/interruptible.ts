import { Failure } from "./failure";

/** Runs with a signal that Ctrl-C aborts. Waits for the work to clean up, then fails with this message. */
export async function interruptible<T>(
  message: string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, stop);
  try {
    return await run(abort.signal);
  } catch (error) {
    if (abort.signal.aborted) throw new Failure("INTERRUPTED", message);
    throw error;
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
