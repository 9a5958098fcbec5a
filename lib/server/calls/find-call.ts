/** Finds what a core calls. Calls at the same time share statements, in which organizations take turns. */
import { createGroups, type Groups } from "../database/groups";
import { withOwnPool, type Platform } from "../platform/platform";
import { selectCallsOfCores, type CallOfCore, type FoundCall } from "./queries";

const GROUPS = { lanes: 2, items: 64 };

const byPlatform = new WeakMap<Platform, Groups<CallOfCore, { found: FoundCall | undefined }>>();

/** Undefined if the credential doesn't work. @param organizationId whose turn it is */
export async function findCallOfCore(
  platform: Platform,
  organizationId: string,
  call: CallOfCore,
): Promise<FoundCall | undefined> {
  let groups = byPlatform.get(platform);
  if (groups === undefined) byPlatform.set(platform, (groups = openGroups(platform)));
  return (await groups.add(organizationId, call)).found;
}

function openGroups(platform: Platform) {
  // Planned once, as for state reads: PostgreSQL would plan each small group again.
  const options = "-c plan_cache_mode=force_generic_plan";
  const { pool } = withOwnPool(platform, { max: GROUPS.lanes, options, allowExitOnIdle: true });
  return createGroups(GROUPS, async (calls: CallOfCore[]) => {
    const found = await selectCallsOfCores(pool, calls);
    return calls.map((_call, place) => ({ found: found.get(place) }));
  });
}
