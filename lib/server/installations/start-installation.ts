import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { commandInstallation } from "./command-installation";

/** Launches it again, on the version and the configuration that it has. */
export function startInstallation(platform: Platform, member: Member, installationId: string): Promise<void> {
  return commandInstallation(platform, member, installationId, "start");
}
