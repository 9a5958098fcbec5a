import { Problem } from "@/lib/contract/problem";
import type { LogFilter } from "@/lib/contract/log-filter";
import type { Member } from "@/lib/domain/actor";
import { selectOwnListing, selectVersions } from "../../listings/queries";
import type { Platform } from "../../platform/platform";
import { listEntries } from "./list-entries";
import { selectLastLines } from "./scope-queries";

/**
 * Reads what the page of an app's logs shows first: the versions, the newest first, and the first page of one version's log. The
 * default is the version that wrote last. An app without versions has no log page.
 * @throws NOT_FOUND for an app of another organization, or a version that the app doesn't have
 */
export async function openLog(
  platform: Platform,
  member: Member,
  appName: string,
  number: string | undefined,
  filter: LogFilter,
) {
  const listing = await selectOwnListing(platform.db, member.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const [all, lastLines] = await Promise.all([
    selectVersions(platform.db, listing.id),
    selectLastLines(platform.db, listing.id),
  ]);
  const versions = all.map((version) => ({
    id: version.id,
    number: version.number,
    lastLineAt: lastLines.get(version.id)?.toISOString() ?? null,
  }));
  const current = number === undefined ? findLast(versions) : versions.find((each) => each.number === number);
  if (current === undefined && number !== undefined) throw new Problem("NOT_FOUND");
  const first =
    current &&
    (await listEntries(platform, member, { listingId: listing.id, versionId: current.id }, filter));
  return { listing, versions, current, first };
}

function findLast<Version extends { lastLineAt: string | null }>(versions: readonly Version[]) {
  return versions.reduce<Version | undefined>(
    (last, version) =>
      last === undefined || (version.lastLineAt ?? "") > (last.lastLineAt ?? "") ? version : last,
    undefined,
  );
}
