import { Problem } from "@/lib/contract/problem";
import type { LogFilter } from "@/lib/contract/log-filter";
import type { Agent } from "@/lib/domain/actor";
import { selectOwnListing, selectVersions } from "../../listings/queries";
import type { Db } from "../../database/connect";
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
  agent: Agent,
  appName: string,
  number: string | undefined,
  filter: LogFilter,
) {
  const listing = await selectOwnListing(platform.db, agent.organization.id, appName);
  if (listing === undefined) throw new Problem("NOT_FOUND");
  const { versions, current } = await chooseVersion(platform.db, listing.id, number);
  const first =
    current && (await listEntries(platform, agent, { listingId: listing.id, versionId: current.id }, filter));
  return { listing, versions, current, first };
}

/**
 * The version whose log is read, among all versions of the app. The default is the one that wrote last; undefined without versions.
 * @throws NOT_FOUND for a version that the app doesn't have
 */
export async function chooseVersion(db: Db, listingId: string, number: string | undefined) {
  const [all, lastLines] = await Promise.all([selectVersions(db, listingId), selectLastLines(db, listingId)]);
  const versions = all.map((version) => ({
    id: version.id,
    number: version.number,
    lastLineAt: lastLines.get(version.id)?.toISOString() ?? null,
  }));
  const current = number === undefined ? findLast(versions) : versions.find((each) => each.number === number);
  if (current === undefined && number !== undefined)
    throw new Problem("NOT_FOUND", `This app has no version ${number.slice(0, 40)}. Check the number.`);
  return { versions, current };
}

function findLast<Version extends { lastLineAt: string | null }>(versions: readonly Version[]) {
  return versions.reduce<Version | undefined>(
    (last, version) =>
      last === undefined || (version.lastLineAt ?? "") > (last.lastLineAt ?? "") ? version : last,
    undefined,
  );
}
