import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { commandInstallation } from "./command-installation";

/** Nothing is routed to it from the moment that this returns, and its keys are dead; the stop hook follows. */
export function stopInstallation(platform: Platform, member: Member, installationId: string): Promise<void> {
  return commandInstallation(platform, member, installationId, "stop");
}
