import { and, eq, inArray, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { configurationChecks } from "@/drizzle/schema/configuration-checks";
import { installations } from "@/drizzle/schema/installations";
import { instances } from "@/drizzle/schema/instances";
import { versions } from "@/drizzle/schema/listings";
import { EXPECTED_ENDS } from "@/lib/contract/instance-reasons";
import type { Db } from "../database/connect";
import { ended, type InstanceRow, NEEDING } from "./queries";

/**
 * Ends the ready instances that nobody needs. The condition is in the UPDATE: an installation that is launched meanwhile
 * either keeps its instance or starts a new one.
 */
export async function endUnneeded(db: Db): Promise<InstanceRow[]> {
  return db
    .update(instances)
    .set(ended({ code: "NOT_NEEDED", reason: UNNEEDED }))
    .where(and(eq(instances.state, "READY"), isUnneeded(instances.versionId)))
    .returning();
}

const UNNEEDED = "No installation needs it anymore.";

const isUnneeded = (versionId: AnyPgColumn) =>
  and(
    sql`not exists (select 1 from ${installations} where ${installations.versionId} = ${versionId}
                     and ${inArray(installations.state, [...NEEDING])})`,
    // An upgrade is starting its new version, or calls still finish on its old one.
    sql`not exists (select 1 from ${installations} where ${installations.otherVersionId} = ${versionId})`,
    // Somebody checks answers before a launch, and is about to check again or to launch.
    sql`not exists (select 1 from ${configurationChecks}
                     where ${configurationChecks.versionId} = ${versionId}
                       and coalesce(${configurationChecks.endedAt}, ${configurationChecks.createdAt})
                           > now() - interval '5 minutes')`,
  );

/**
 * Notes in the history of versions whose instances failed that nobody needs them anymore. Otherwise a launch that was given up would
 * look like an outage that never ends.
 */
export async function noteUnneeded(db: Db): Promise<void> {
  const expected = sql.join(
    EXPECTED_ENDS.map((code) => sql`${code}`),
    sql`, `,
  );
  await db.execute(sql`
    insert into instance_events (version_id, instance_id, at, kind, reason_code, reason)
    select last.version_id, last.instance_id, clock_timestamp(), 'stopped', 'NOT_NEEDED', ${UNNEEDED}
      from ${versions}
     cross join lateral (
             select * from instance_events e where e.version_id = ${versions.id} order by e.id desc limit 1) last
     where (last.kind = 'failed' or (last.kind = 'stopped' and last.reason_code not in (${expected})))
       and not exists (select 1 from ${instances} where ${instances.versionId} = ${versions.id}
                          and ${instances.endedAt} is null)
       and ${isUnneeded(versions.id)}`);
}
