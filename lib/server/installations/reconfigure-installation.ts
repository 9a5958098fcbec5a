import type { ConfigurationInput } from "@/lib/contract/installation";
import type { Member } from "@/lib/domain/actor";
import type { Platform } from "../platform/platform";
import { holdToConfigure } from "./hold-to-configure";
import { saveConfiguration } from "./save-configuration";

/**
 * Saves a new revision, which the next call sees; a save that changes nothing answers the current one. Throws
 * STALE_REVISION when another save came first, BAD_INPUT with every issue, WRONG_STATE while it is uninstalled or upgraded.
 */
export async function reconfigureInstallation(
  platform: Platform,
  member: Member,
  id: string,
  input: ConfigurationInput,
): Promise<{ revision: number }> {
  return platform.db.transaction(async (tx) => {
    const held = await holdToConfigure(tx, member, id, input.revision);
    return saveConfiguration(platform, tx, member, held, { cause: "configure", answers: () => input });
  });
}
