/** Milliseconds of processor time that `run` takes. The clock on the wall would also measure what else the machine does. */
export async function cpuTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
