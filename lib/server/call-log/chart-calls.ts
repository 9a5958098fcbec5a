import type { CallChart } from "@/lib/contract/call-log";
import { type CallFilter, toCallQuery } from "@/lib/contract/call-filter";
import { TIME_SPANS } from "@/lib/contract/time-range";
import type { Member } from "@/lib/domain/actor";
import { bucketLength, toRange } from "@/lib/domain/call-range";
import type { Platform } from "../platform/platform";
import { filterCharted } from "./chart-queries";
import { drawCalls } from "./draw-calls";
import { findScope } from "./find-scope";

/** The range if the filter has none. */
const DEFAULT_SPAN = "24h";

/**
 * Rate, failures and latency of the calls that a filter is about, over time and by route. Only its scope and its time range count.
 * @throws NOT_FOUND if the filter names an installation of another organization
 */
export async function chartCalls(platform: Platform, member: Member, filter: CallFilter): Promise<CallChart> {
  const counted = { ...filter, state: undefined, q: undefined, slower: undefined };
  const scope = await findScope(platform.db, member, counted);
  const now = new Date();
  const { to = now, from = new Date(to.getTime() - TIME_SPANS[DEFAULT_SPAN].ms) } = toRange(filter, now);
  const key = `${member.organization.id}?${toCallQuery(counted)}`;
  const range = { from, to, bucketMs: bucketLength(from, to) };
  return drawCalls(platform, key, filterCharted(scope, filter), range);
}
