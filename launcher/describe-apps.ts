/** How many apps run on a runtime. */
export interface RunningApps {
  runtime: string;
  count: number;
}

/** What is so for the apps that run, whatever the engine could do. */
export function describeApps(running: readonly RunningApps[], engine: boolean): string {
  const count = (process: boolean) =>
    running
      .filter(({ runtime }) => (runtime === "process") === process)
      .reduce((sum, each) => sum + each.count, 0);
  const processes = count(true);
  if (processes === 0 && engine) return "run in containers, isolated from this machine and from each other";
  if (!engine) return "run as plain processes without isolation (no container engine)";
  const all = processes + count(false);
  return `run as plain processes without isolation: ${processes} of ${all}, until they have moved to containers`;
}
