/** The memory and CPU that an organization's running apps may have together. */

export interface Capacity {
  memoryBytes: number;
  /** Cores. */
  cpus: number;
}

export interface CapacityUse {
  /** How many instances are starting, running, or finishing their calls. */
  apps: number;
  used: Capacity;
  quota: Capacity;
}

/** What counts is what the apps may use, whether or not they use it: together they never need more. */
export function measureCapacity(apps: number, each: Capacity, quota: Capacity): CapacityUse {
  return { apps, used: { memoryBytes: apps * each.memoryBytes, cpus: round(apps * each.cpus) }, quota };
}

/** What the apps have more of than they may; undefined if they are within both limits. */
export function findExceeded({ used, quota }: CapacityUse): "memory" | "CPU" | undefined {
  if (used.memoryBytes > quota.memoryBytes) return "memory";
  return used.cpus > quota.cpus ? "CPU" : undefined;
}

const MEBIBYTE = 1024 * 1024;

/** Such as "512 MiB" or "1.5 GiB". Binary units, as container engines limit memory. */
export function formatMemory(bytes: number): string {
  const mebibytes = bytes / MEBIBYTE;
  return mebibytes < 1024 ? `${round(mebibytes)} MiB` : `${round(mebibytes / 1024)} GiB`;
}

/** Such as "1 core" or "2.5 cores". */
export function formatCpus(cpus: number): string {
  return cpus === 1 ? "1 core" : `${round(cpus)} cores`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
