import type Docker from "dockerode";
import { z } from "zod";
import {
  CONTAINER_PORT,
  CONTAINER_TMPFS,
  CONTAINER_USER,
  SHARED_MEMORY_MIB,
  VOLUME_MIB,
} from "@/lib/domain/containment";
import type { AppLimits } from "../platform/app-limits";
import type { EngineImage } from "./docker-image";
import type { StartOrder, Usage } from "./runtime";

export const MEBIBYTE = 1024 * 1024;

/** Labels that mark what a platform owns, so that two platforms on one engine do not interfere. */
export const OWNER_LABEL = "platform.instance-of";
export const VERSION_LABEL = "platform.version";
export const REPLICA_LABEL = "platform.replica";

export function createLabels(
  owner: string,
  { versionId, replica }: Pick<StartOrder, "versionId" | "replica">,
): Record<string, string> {
  return { [OWNER_LABEL]: owner, [VERSION_LABEL]: versionId, [REPLICA_LABEL]: String(replica) };
}

/**
 * Every limit that an app runs under. Overrides the image's user, volumes, health check, and labels. A declared volume
 * becomes a small tmpfs, so that nothing outlives the app.
 * @param name of the container and of its existing network
 */
export function containerOptions(
  owner: string,
  order: StartOrder,
  image: EngineImage,
  name: string,
  limits: AppLimits,
): Docker.ContainerCreateOptions {
  const port = `${CONTAINER_PORT}/tcp`;
  return {
    name,
    Image: image.id,
    User: CONTAINER_USER,
    Hostname: "app",
    Env: [`PLATFORM_PORT=${CONTAINER_PORT}`, `PLATFORM_STATE_API=${order.environment.PLATFORM_STATE_API}`],
    Labels: createLabels(owner, order),
    Healthcheck: { Test: ["NONE"] },
    ExposedPorts: { [port]: {} },
    AttachStdin: false,
    OpenStdin: false,
    Tty: false,
    HostConfig: {
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges:true"],
      Privileged: false,
      PidsLimit: limits.processes,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.cpus * 1e9),
      ShmSize: SHARED_MEMORY_MIB * MEBIBYTE,
      Tmpfs: { [CONTAINER_TMPFS.path]: CONTAINER_TMPFS.options },
      Mounts: image.volumes.filter((target) => target !== CONTAINER_TMPFS.path).map(volumeAsTmpfs),
      RestartPolicy: { Name: "no" },
      LogConfig: { Type: "json-file", Config: { "max-size": "1m", "max-file": "2" } },
      NetworkMode: name,
      PortBindings: { [port]: [{ HostIp: "127.0.0.1", HostPort: "" }] },
      ExtraHosts: hostsFor(order.environment.PLATFORM_STATE_API),
    },
  };
}

function volumeAsTmpfs(target: string): Docker.MountSettings {
  return {
    Type: "tmpfs",
    Target: target,
    Source: "",
    TmpfsOptions: { SizeBytes: VOLUME_MIB * MEBIBYTE, Mode: 0o1777 },
  };
}

/** On Linux, engines do not resolve `host.docker.internal` by default. */
function hostsFor(stateApi: string): string[] {
  return new URL(stateApi).hostname === "host.docker.internal" ? ["host.docker.internal:host-gateway"] : [];
}

/** The engine leaves out what the kernel doesn't tell, and everything of a container that doesn't run. */
const statistics = z.object({
  cpu_stats: z.object({ cpu_usage: z.object({ total_usage: z.number() }) }),
  memory_stats: z.object({
    usage: z.number().optional(),
    limit: z.number().optional(),
    // With version 1 of control groups, the first says nothing of groups below the container's.
    stats: z
      .object({ inactive_file: z.number().optional(), total_inactive_file: z.number().optional() })
      .optional(),
  }),
});

/** What a container uses, according to the engine. Undefined if it doesn't run. */
export function readUsage(answer: unknown, limits: AppLimits): Usage | undefined {
  const { cpu_stats: cpu, memory_stats: memory } = statistics.parse(answer);
  if (memory.usage === undefined) return undefined;
  const cached = memory.stats?.total_inactive_file ?? memory.stats?.inactive_file ?? 0;
  return {
    cpuNs: cpu.cpu_usage.total_usage,
    memoryBytes: Math.max(0, memory.usage - cached),
    limits: { cpuMillis: Math.round(limits.cpus * 1_000), memoryBytes: memory.limit ?? limits.memoryBytes },
  };
}
