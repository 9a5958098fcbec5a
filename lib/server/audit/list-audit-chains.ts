import type { Platform } from "../platform/platform";
import { selectAuditChains } from "./queries";

/** Organization ids and `platform`, also of chains whose rows or whose head are gone. */
export function listAuditChains(platform: Platform): Promise<string[]> {
  return selectAuditChains(platform.db);
}
