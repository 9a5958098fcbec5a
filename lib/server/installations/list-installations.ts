/** A page of an organization's installations, and how many there are of each status. */
import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import {
  type HealthView,
  INSTALLATION_STATUSES,
  type InstallationStatus,
} from "@/lib/contract/insight/health";
import type { Member } from "@/lib/domain/platform/actor";
import { addHealth } from "../insight/health/read-health";
import type { Db } from "../platform/database/connect";
import { searchText } from "../platform/database/expressions";
import { byCursor, findSort, type KeyCursor, type Position, readPage } from "../platform/database/paging";
import type { Platform } from "../platform/platform";
import { byUrgency, countStates, INSTALLATION_SORTS, selectInstallations } from "./queries";

const PAGE_SIZE = 30;

/** Health is derived after reading, so a filter by it reads more rows than it returns. */
const FILTERED_BATCH = 200;

/** The health of no more than so many is read to count it, which are as many as the home page looks at. */
const COUNTED = 500;

/** From the page's URL; values that are not valid are ignored. */
interface ListInput {
  search?: string;
  /** A status: `RUNNING` leaves out installations that are degraded or down. */
  state?: string;
  sort?: string;
  after?: string;
}

/**
 * Installations with their health. The counts are those of the search, whatever the state. `isKnown`: whether the order by urgency knows
 * what is down or degraded, and not only what is in error.
 */
export async function listInstallations({ db }: Platform, member: Member, input: ListInput = {}) {
  const organizationId = member.organization.id;
  const status = INSTALLATION_STATUSES.find((each) => each === input.state);
  const state = status === undefined ? undefined : toState(status);
  const search = searchText(input.search);
  const { counts, total, health, isKnown } = await countStatuses(db, organizationId, search);
  const having = (wanted: InstallationStatus) =>
    [...health].flatMap(([id, known]) => (known.status === wanted ? [id] : []));
  const sorts = { ...INSTALLATION_SORTS, urgency: byUrgency(having("DOWN"), having("DEGRADED")) };
  const sort = findSort(sorts, input.sort);
  const sorting = sorts[sort];
  const readFrom = async (start: Position<KeyCursor> | undefined, wanted: number) => {
    const limit = state === "RUNNING" ? FILTERED_BATCH : wanted;
    let position = start;
    const found = [];
    for (;;) {
      const rows = await selectInstallations(db, organizationId, { search, state, sorting, position, limit });
      const unknown = rows.filter((row) => row.state !== "RUNNING" || !health.has(row.id));
      for (const row of await addHealth(db, unknown)) health.set(row.id, row.health);
      for (const row of rows) {
        const known = health.get(row.id);
        if (known !== undefined && (status === undefined || known.status === status))
          found.push({ ...row, health: known });
      }
      const last = rows.at(-1);
      if (found.length >= wanted || rows.length < limit || last === undefined) return found.slice(0, wanted);
      position = { cursor: { id: last.id, key: last.cursor }, isBackward: start?.isBackward };
    }
  };
  const { rows, ...pages } = await readPage(input.after, PAGE_SIZE, byCursor(sorting), readFrom);
  const installations = rows.map(({ cursor: _cursor, ...row }) => row);
  const shown = status === undefined ? total : counts[status];
  return { installations, sort, isKnown, counts, total, shown, ...pages };
}

/** The state of installations that may have this status. */
function toState(status: InstallationStatus): InstallationState {
  return status === "DEGRADED" || status === "DOWN" || status === "ASLEEP" ? "RUNNING" : status;
}

/** Without what health makes of `RUNNING` if very many run. The total is that of the list without a filter by state. */
async function countStatuses(db: Db, organizationId: string, search: string | undefined) {
  const states = await countStates(db, organizationId, search, COUNTED);
  const running = states.find(({ state }) => state === "RUNNING");
  const looked = running?.installations?.map((row) => ({ ...row, state: "RUNNING" as const })) ?? [];
  const checked = await addHealth(db, looked);
  const isKnown = checked.length === (running?.count ?? 0);
  const counts: Partial<Record<InstallationStatus, number>> = {};
  for (const status of INSTALLATION_STATUSES) {
    if (toState(status) !== "RUNNING")
      counts[status] = states.find(({ state }) => state === status)?.count ?? 0;
    else if (isKnown) counts[status] = checked.filter(({ health }) => health.status === status).length;
  }
  const total = states.reduce((sum, { state, count }) => sum + (state === "UNINSTALLED" ? 0 : count), 0);
  return {
    counts,
    total,
    isKnown,
    health: new Map<string, HealthView>(checked.map(({ id, health }) => [id, health])),
  };
}
