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

/** What every app's container is limited to, wherever it runs: see docs/decisions/039 and 041. */

/** The app's port inside its container. Above 1024, because the app lacks the capability to bind a lower one. */
export const CONTAINER_PORT = 8080;

/** No user of the image, and not root. */
export const CONTAINER_USER = "65532:65532";

/** The only place that an app can write to. Empty after each start. */
export const CONTAINER_TMPFS = { path: "/tmp", options: "rw,noexec,nosuid,nodev,size=64m,mode=1777" };

export const SHARED_MEMORY_MIB = 16;

/** Of a volume that the image declares, which becomes a tmpfs. */
export const VOLUME_MIB = 16;

/** What an app may use unless the operator changes it. */
export const DEFAULT_CONTAINER_LIMITS = { memoryMib: 512, cpus: 1, processes: 256 };
