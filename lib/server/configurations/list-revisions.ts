import { REVISION_CHANGES, type RevisionView } from "@/lib/contract/configuration-view";
import { isId } from "@/lib/contract/names";
import { Problem } from "@/lib/contract/problem";
import type { Member } from "@/lib/domain/actor";
import { selectInstallation } from "../installations/queries";
import type { Platform } from "../platform/platform";
import { changesBetween, secretsNow, type DatedRevision } from "./compare-revisions";
import { selectServed, selectVersionsOf, type RevisionRow } from "./queries";

const PAGE_SIZE = 20;

/**
 * The revisions of an installation that served, newest first; `before` and `next` are revision numbers. Throws
 * NOT_FOUND for a foreign installation, BAD_INPUT for a cursor that no list gave.
 */
export async function listRevisions(
  platform: Platform,
  member: Member,
  id: string,
  before?: string,
): Promise<{ revisions: RevisionView[]; next?: number }> {
  const { db } = platform;
  const found = isId(id) ? await selectInstallation(db, member.organization.id, id) : undefined;
  if (found === undefined) throw new Problem("NOT_FOUND");
  const highest = before === undefined ? found.revision : cursor(before) - 1;
  // One more than the page: what its last revision is compared with.
  const rows = await selectServed(db, id, Math.min(highest, found.revision), PAGE_SIZE + 1);
  const dated = await date(db, rows);
  const [current] = await selectServed(db, id, found.revision, 1);
  const secrets = secretsNow(found.manifest, current?.settings ?? {});
  const isOver = found.state === "UNINSTALLING" || found.state === "UNINSTALLED";
  const revisions = dated.slice(0, PAGE_SIZE).map((each, index): RevisionView => {
    const { row, version } = each;
    const previous = dated[index + 1];
    const changes = previous === undefined ? [] : changesBetween(previous, each, secrets);
    const isCurrent = row.revision === found.revision;
    return {
      revision: row.revision,
      current: isCurrent,
      version: version.number,
      cause: row.cause,
      restoredFrom: row.restoredFrom,
      savedAt: row.createdAt.toISOString(),
      savedBy: row.createdBy,
      changes: changes.slice(0, REVISION_CHANGES),
      moreChanges: Math.max(0, changes.length - REVISION_CHANGES),
      restorable: !isOver && !isCurrent && row.versionId === found.versionId,
    };
  });
  return { revisions, next: dated.length > PAGE_SIZE ? revisions.at(-1)?.revision : undefined };
}

function cursor(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Problem("BAD_INPUT", "The cursor is not one that a list gave.");
  return Number(text);
}

async function date(db: Platform["db"], rows: RevisionRow[]): Promise<DatedRevision[]> {
  const versions = await selectVersionsOf(db, [...new Set(rows.map(({ versionId }) => versionId))]);
  const byId = new Map(versions.map((version) => [version.id, version]));
  return rows.map((row) => {
    const version = byId.get(row.versionId);
    if (version === undefined) throw new Error(`version ${row.versionId} is gone`);
    return { row, version };
  });
}
