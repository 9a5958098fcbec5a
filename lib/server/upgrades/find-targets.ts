import type { UpgradeTarget } from "@/lib/contract/configuration-view";
import type { InstallationState } from "@/lib/contract/installation";
import { compareVersions } from "@/lib/domain/version";
import type { Db } from "../database/connect";
import { selectArrival, selectListingVersions } from "./queries";

const GONE: ReadonlySet<InstallationState> = new Set(["UNINSTALLING", "UNINSTALLED"]);

type Candidate = Awaited<ReturnType<typeof selectListingVersions>>[number];

export interface Moving {
  id: string;
  state: InstallationState;
  test: boolean;
  versionId: string;
  listingId: string;
}

export interface Targets {
  current: Candidate;
  /** All that it may move to, newest first. */
  targets: Candidate[];
  /** The version that it ran before, when it may go back to it, and the last revision that served then. */
  previous: { versionId: string; revision: number } | undefined;
}

/**
 * Where an installation may move: up to any verified version of a public listing, and back to the one that it ran
 * before. A Test Launch may move to any version; what is uninstalled moves nowhere.
 */
export async function findTargets(db: Db, installation: Moving): Promise<Targets> {
  const [candidates, arrival] = await Promise.all([
    selectListingVersions(db, installation.listingId),
    selectArrival(db, installation.id, installation.versionId),
  ]);
  const current = candidates.find(({ versionId }) => versionId === installation.versionId);
  if (current === undefined) throw new Error(`version ${installation.versionId} is gone`);
  if (GONE.has(installation.state)) return { current, targets: [], previous: undefined };
  const isNewer = ({ number }: Candidate) => compareVersions(number, current.number) > 0;
  const before = candidates.find(({ versionId }) => versionId === arrival?.fromVersionId);
  // What was verified once and served here may serve again, whatever became of the listing since.
  const mayReturn = before !== undefined && !isNewer(before) && (installation.test || isVerified(before));
  const previous =
    mayReturn && arrival !== undefined
      ? { versionId: arrival.fromVersionId, revision: arrival.fromRevision }
      : undefined;
  const targets = candidates.filter((candidate) => {
    if (candidate.versionId === current.versionId) return false;
    if (candidate.versionId === previous?.versionId) return true;
    if (installation.test) return candidate.listingState !== "RETIRED";
    return candidate.listingState === "PUBLIC" && isVerified(candidate) && isNewer(candidate);
  });
  return { current, targets: targets.sort(newestFirst), previous };
}

function isVerified({ verifiedAt }: Candidate): boolean {
  return verifiedAt !== null;
}

function newestFirst(a: Candidate, b: Candidate): number {
  return compareVersions(b.number, a.number);
}

/** The newest above the version that runs; undefined when that is the newest. */
export function newestAbove({ current, targets }: Targets): Candidate | undefined {
  return targets.find(({ number }) => compareVersions(number, current.number) > 0);
}

export function viewTarget({ versionId, number, publishedAt }: Candidate): UpgradeTarget {
  return { versionId, number, publishedAt: publishedAt.toISOString() };
}
