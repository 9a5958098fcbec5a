import { dockerRuntime } from "@/lib/server/runtimes/docker";

const GRACE_SECONDS = 2;

/**
 * Ends the containers of this data folder. A worker leaves them to the next one, so that a rolling restart interrupts no
 * app; on a machine where Ctrl-C ends everything there is no next one. The next start makes them anew.
 */
export async function endContainers(dataDir: string): Promise<void> {
  const runtime = dockerRuntime(dataDir);
  // Without an engine there is nothing to end.
  const found = await runtime.list().catch(() => []);
  await Promise.all(found.map(({ handle }) => runtime.stop(handle, GRACE_SECONDS)));
}
