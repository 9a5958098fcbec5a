import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { commandInstallation } from "./command-installation";

/** Removes it for good: hooks are tried, secrets are removed, and its routes end. */
export function uninstallInstallation(
  platform: Platform,
  member: Member,
  installationId: string,
): Promise<void> {
  return commandInstallation(platform, member, installationId, "uninstall");
}
