/** What each app may use, and what the apps of an organization may use together. */
import type { Capacity } from "@/lib/domain/capacity";
import { DEFAULT_CONTAINER_LIMITS } from "@/lib/domain/containment";

export const DEFAULT_APP_SETTINGS = {
  PLATFORM_APP_MEMORY_MIB: DEFAULT_CONTAINER_LIMITS.memoryMib,
  PLATFORM_APP_CPUS: DEFAULT_CONTAINER_LIMITS.cpus,
  PLATFORM_APP_PROCESSES: DEFAULT_CONTAINER_LIMITS.processes,
};
const MEBIBYTE = 1024 * 1024;

export interface AppLimits extends Capacity {
  /** Processes and threads. */
  processes: number;
}

interface Settings {
  PLATFORM_APP_MEMORY_MIB: number;
  PLATFORM_APP_CPUS: number;
  PLATFORM_APP_PROCESSES: number;
  PLATFORM_QUOTA_MEMORY_MIB: number;
  PLATFORM_QUOTA_CPUS: number;
}

export function readAppLimits(environment: Omit<Settings, `PLATFORM_QUOTA_${string}`>): AppLimits {
  return {
    memoryBytes: environment.PLATFORM_APP_MEMORY_MIB * MEBIBYTE,
    cpus: environment.PLATFORM_APP_CPUS,
    processes: environment.PLATFORM_APP_PROCESSES,
  };
}

export const DEFAULT_APP_LIMITS = readAppLimits(DEFAULT_APP_SETTINGS);

/** What the running apps of an organization may have together. */
export function readCapacityQuota(environment: Settings): Capacity {
  return {
    memoryBytes: environment.PLATFORM_QUOTA_MEMORY_MIB * MEBIBYTE,
    cpus: environment.PLATFORM_QUOTA_CPUS,
  };
}
