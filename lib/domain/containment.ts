/** What every app's container is limited to, wherever it runs: see docs/decisions/062 and 069. */

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
