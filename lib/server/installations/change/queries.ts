/** What a change of a configuration or of the version holds on to, and moves. */
import { and, eq } from "drizzle-orm";
import { installations } from "@/drizzle/schema/installations";
import { versions } from "@/drizzle/schema/listings";
import type { Db } from "../../database/connect";

/**
 * An installation with what its configuration depends on, locked until the transaction ends; calls go on, for what they
 * write only refers to its key. The version is read after the lock: joined, an installation that moved to another version
 * while this waited would not be found at all.
 */
export async function holdInstallation(tx: Db, organizationId: string, id: string) {
  const [found] = await tx
    .select({
      state: installations.state,
      test: installations.test,
      revision: installations.revision,
      versionId: installations.versionId,
      otherVersionId: installations.otherVersionId,
      tenantId: installations.tenantId,
      listingId: installations.listingId,
    })
    .from(installations)
    .where(and(eq(installations.id, id), eq(installations.organizationId, organizationId)))
    .for("no key update");
  if (found === undefined) return undefined;
  const [version] = await tx
    .select({ number: versions.number, manifest: versions.manifest })
    .from(versions)
    .where(eq(versions.id, found.versionId));
  if (version === undefined) throw new Error(`version ${found.versionId} is gone`);
  return { ...found, ...version };
}

/** The next call sees it. The guard is in the UPDATE; whoever holds the row is not overtaken. */
export async function moveRevision(
  tx: Db,
  organizationId: string,
  id: string,
  from: number,
  to: number,
): Promise<void> {
  const moved = await tx
    .update(installations)
    .set({ revision: to, updatedAt: new Date() })
    .where(
      and(
        eq(installations.id, id),
        eq(installations.organizationId, organizationId),
        eq(installations.revision, from),
      ),
    )
    .returning({ id: installations.id });
  if (moved.length !== 1) throw new Error(`installation ${id} left revision ${from}`);
}

export async function selectVersionNumber(db: Db, versionId: string): Promise<string> {
  const [found] = await db
    .select({ number: versions.number })
    .from(versions)
    .where(eq(versions.id, versionId));
  if (found === undefined) throw new Error(`version ${versionId} is gone`);
  return found.number;
}
