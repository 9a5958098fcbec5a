/** SQL of what the engine has: who owns it, and which images are still needed. */
import { and, eq, gt, inArray, or, sql } from "drizzle-orm";
import { reviews, versions } from "@/drizzle/schema/catalog";
import { installations } from "@/drizzle/schema/installations";
import { evidence } from "@/drizzle/schema/moderation";
import { instances, runtimeOwner } from "@/drizzle/schema/runtime";
import { ENDING_SECONDS, type Owner } from "@/lib/domain/runtime/instance";
import { type Db, tryLock } from "../platform/database/connect";
import { LIVE, NEEDING } from "./instance-queries";

/** False if another worker is removing strays. Held until the end of the transaction. */
export function lockStrays(tx: Db): Promise<boolean> {
  return tryLock(tx, "strays");
}

/** The id of this database's platform, which labels what it owns in a cluster. */
export async function readPlatformId(db: Db): Promise<string> {
  await db.insert(runtimeOwner).values({}).onConflictDoNothing({ target: runtimeOwner.one });
  const [owner] = await db.select({ id: runtimeOwner.id }).from(runtimeOwner);
  if (owner === undefined) throw new Error("the platform's id is missing");
  return owner.id;
}

export async function selectOwners(db: Db): Promise<Owner[]> {
  return db
    .select({
      versionId: instances.versionId,
      handle: instances.handle,
      state: instances.state,
      secondsSinceEnd: sql<number | null>`extract(epoch from now() - ${instances.endedAt})::float`,
    })
    .from(instances)
    .where(
      or(
        inArray(instances.state, LIVE),
        gt(instances.endedAt, sql`now() - make_interval(secs => ${ENDING_SECONDS})`),
      ),
    );
}

/** Automatic checks that a worker is running. */
export async function selectRunningEvidence(db: Db): Promise<Set<string>> {
  const found = await db
    .select({ id: evidence.id })
    .from(evidence)
    .where(and(eq(evidence.state, "RUNNING"), gt(evidence.leasedUntil, sql`now()`)));
  return new Set(found.map(({ id }) => id));
}

/** Digests of the images that run, must run, are being checked, or ran after `since`. */
export async function selectWantedImages(db: Db, since: Date): Promise<Set<string>> {
  const needing = inArray(installations.state, [...NEEDING]);
  const found = await db
    .selectDistinct({ imageDigest: versions.imageDigest })
    .from(versions)
    .where(
      or(
        sql`exists (select 1 from ${instances} where ${instances.versionId} = ${versions.id}
                     and (${instances.endedAt} is null or ${instances.endedAt} > ${since}))`,
        sql`exists (select 1 from ${installations} where ${installations.versionId} = ${versions.id} and ${needing})`,
        sql`exists (select 1 from ${installations} where ${installations.otherVersionId} = ${versions.id})`,
        sql`exists (select 1 from ${evidence} join ${reviews} on ${reviews.id} = ${evidence.reviewId}
                     where ${reviews.versionId} = ${versions.id} and ${evidence.state} = 'RUNNING')`,
      ),
    );
  return new Set(found.map(({ imageDigest }) => imageDigest));
}
