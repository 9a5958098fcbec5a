import type { ReasonCode } from "@/lib/contract/instance-reasons";
import type { Platform } from "../platform/platform";
import type { Runtime } from "../runtimes/runtime";
import { requireVersion, startInstance } from "./ensure-instance";
import type { InstanceRow } from "./queries";
import { drainInstance, insertReplacement } from "./replica-queries";

/**
 * Starts another instance of the same version beside this one, and sends all calls there when it is ready: this one drains. False if it
 * ended, or another one of the version is starting. Throws an InstanceFailure if the new one doesn't become ready; this one goes on.
 */
export async function replaceInstance(
  platform: Platform,
  runtime: Runtime,
  instance: InstanceRow,
  why: { code: ReasonCode; reason: string },
): Promise<boolean> {
  const version = await requireVersion(platform, instance.versionId);
  // Beyond the publisher's quota, because the old one gives its place back.
  const row = await platform.db.transaction((tx) => insertReplacement(tx, instance, runtime.name));
  if (row === undefined) return false;
  await startInstance(platform, runtime, version, row, {
    onReady: (tx) => drainInstance(tx, instance.id, why),
  });
  platform.log.info(
    { versionId: instance.versionId, runtime: runtime.name, code: why.code },
    "instance replaced",
  );
  return true;
}
