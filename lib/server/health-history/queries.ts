import { asc, desc, inArray } from "drizzle-orm";
import { instanceEvents } from "@/drizzle/schema/app-logs";
import type { InstanceEvent } from "@/lib/domain/health-history/trace-health";
import type { Db } from "../database/connect";

/** Far more than a month of crashes, with the pauses between them. Of more, the newest count. */
const MOST_EVENTS = 20_000;

/** Everything that is known of the instances of each version, in its order. */
export async function selectEvents(
  db: Db,
  versionIds: readonly string[],
): Promise<Map<string, InstanceEvent[]>> {
  const newest = db
    .select()
    .from(instanceEvents)
    .where(inArray(instanceEvents.versionId, [...versionIds]))
    .orderBy(desc(instanceEvents.id))
    .limit(MOST_EVENTS)
    .as("newest");
  const rows = await db.select().from(newest).orderBy(asc(newest.id));
  const byVersion = new Map<string, InstanceEvent[]>(versionIds.map((id) => [id, []]));
  for (const { versionId, instanceId, at, kind, reasonCode, reason } of rows)
    byVersion.get(versionId)?.push({ instanceId, at: at.getTime(), kind, code: reasonCode, reason });
  return byVersion;
}
