import { INSTALLATION_STATUSES, type InstallationStatus } from "@/lib/contract/health";
import type { InstallationState } from "@/lib/contract/installation-states";
import { isId } from "@/lib/contract/names";
import type { Member } from "@/lib/domain/actor";
import { searchText } from "../database/search";
import { addHealth } from "../health/read-health";
import type { Platform } from "../platform/platform";
import { selectInstallations } from "./queries";

const PAGE_SIZE = 30;

/** Health is derived after reading, so a filter by it reads more rows than it returns. */
const FILTERED_BATCH = 200;

/** From the page's URL; values that are not valid are ignored. */
interface ListInput {
  search?: string;
  /** A status: `RUNNING` leaves out installations that are degraded or down. */
  state?: string;
  before?: string;
}

/** A page of the organization's installations with their health, newest first. `next` is the cursor of the next page. */
export async function listInstallations(platform: Platform, member: Member, input: ListInput = {}) {
  const status = INSTALLATION_STATUSES.find((each) => each === input.state);
  const state = status === undefined ? undefined : toState(status);
  const search = searchText(input.search);
  const limit = state === "RUNNING" ? FILTERED_BATCH : PAGE_SIZE + 1;
  let before = input.before !== undefined && isId(input.before) ? input.before : undefined;
  const found = [];
  for (;;) {
    const rows = await selectInstallations(platform.db, member.organization.id, {
      search,
      state,
      before,
      limit,
    });
    const checked = await addHealth(platform.db, rows);
    found.push(...checked.filter(({ health }) => status === undefined || health.status === status));
    if (found.length > PAGE_SIZE || rows.length < limit) break;
    before = rows.at(-1)?.id;
  }
  const installations = found.slice(0, PAGE_SIZE);
  return { installations, next: found.length > PAGE_SIZE ? installations.at(-1)?.id : undefined };
}

/** The state of installations that may have this status. */
function toState(status: InstallationStatus): InstallationState {
  return status === "DEGRADED" || status === "DOWN" || status === "ASLEEP" ? "RUNNING" : status;
}
