import { EXIT, Failure } from "./failure";

/** Runs with a signal that Ctrl-C aborts; the work's own cleaning up is awaited, and the command then fails. */
export async function interruptible<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, stop);
  try {
    return await run(abort.signal);
  } catch (error) {
    if (abort.signal.aborted)
      throw new Failure(
        "Stopped. Nothing was published, and the version is as it was.",
        [],
        EXIT.interrupted,
      );
    throw error;
  } finally {
    for (const name of signals) process.off(name, stop);
  }
}
