import type { InstallationState } from "@/lib/contract/catalog/installation-states";
import type { HealthView } from "@/lib/contract/insight/health";
import { assessHealth, type HealthFacts } from "@/lib/domain/insight/health";
import type { Db } from "../../platform/database/connect";
import * as queries from "./health-queries";

interface Subject {
  id: string;
  versionId: string;
  state: InstallationState;
}

/** What is known about the instances of a version. */
export type VersionFacts = Omit<HealthFacts, "state" | "failedCalls" | "breaker">;

/**
 * The same installations with their health, in the same order.
 * @param known what is known about their versions, if it was read already
 */
export async function addHealth<Row extends Subject>(
  db: Db,
  rows: readonly Row[],
  known?: ReadonlyMap<string, VersionFacts>,
): Promise<(Row & { health: HealthView })[]> {
  const running = rows.filter(({ state }) => state === "RUNNING");
  const ids = running.map(({ id }) => id);
  const [versions, calls, open] = await Promise.all([
    known ?? readVersionFacts(db, [...new Set(running.map(({ versionId }) => versionId))]),
    ids.length === 0 ? [] : queries.selectFailedCalls(db, ids),
    ids.length === 0 ? [] : queries.selectOpenBreakers(db, ids),
  ]);
  const failedCalls = new Map(calls.map(({ id, ...rest }) => [id, rest]));
  const breakersOf = (id: string) =>
    open
      .filter((each) => each.id === id)
      .map(({ id: _id, reason, ...rest }) => ({ ...rest, reason: reason ?? WITHOUT_REASON }));
  return rows.map((row) => {
    const facts = versions.get(row.versionId) ?? NEVER_STARTED;
    return {
      ...row,
      health: assessHealth({
        ...facts,
        state: row.state,
        failedCalls: failedCalls.get(row.id),
        breakers: breakersOf(row.id),
      }),
    };
  });
}

const WITHOUT_REASON = "It failed without reporting a reason.";

const NEVER_STARTED: VersionFacts = {
  lastUpAt: null,
  recentFailures: 0,
  firstRecentFailureAt: null,
  failures: 0,
  countedFailures: 0,
};

export async function readVersionFacts(
  db: Db,
  versionIds: readonly string[],
): Promise<Map<string, VersionFacts>> {
  if (versionIds.length === 0) return new Map();
  const [newest, lastFailures, counts, halted] = await Promise.all([
    queries.selectNewestInstances(db, versionIds),
    queries.selectLastFailures(db, versionIds),
    queries.countFailures(db, versionIds),
    queries.selectHalted(db, versionIds),
  ]);
  return new Map(
    counts.map(({ versionId, ...count }) => {
      const halt = halted.find((each) => each.versionId === versionId);
      const failure = lastFailures.find((each) => each.versionId === versionId);
      const facts: VersionFacts = {
        ...count,
        instance: newest.find((each) => each.versionId === versionId),
        lastFailure: failure && { ...failure, reason: failure.reason ?? WITHOUT_REASON },
        parked: halt?.parked,
        asleepSince: halt?.asleepSince,
      };
      return [versionId, facts];
    }),
  );
}

/**
 * The last failure of each of a listing's versions that has failed, with the end of its log: the newest version first, at most `limit`.
 * Only for those who may read logs.
 */
export async function readFailures(db: Db, listingId: string, limit: number) {
  const failed = await queries.selectFailedVersions(db, listingId, limit);
  const versionIds = failed.map(({ id }) => id);
  if (versionIds.length === 0) return [];
  const [failures, logs, halted] = await Promise.all([
    queries.selectLastFailures(db, versionIds),
    queries.selectLastLogs(db, versionIds, "failed"),
    queries.selectHalted(db, versionIds),
  ]);
  const ofVersion = <Row extends { versionId: string }>(rows: readonly Row[], id: string) =>
    rows.find(({ versionId }) => versionId === id);
  return failed.flatMap(({ id, number }) => {
    const failure = ofVersion(failures, id);
    if (failure === undefined) return [];
    const log = ofVersion(logs, id);
    return [
      {
        ...failure,
        number,
        reason: failure.reason ?? WITHOUT_REASON,
        log: log && { at: log.at, text: log.text },
        parked: ofVersion(halted, id)?.parked,
      },
    ];
  });
}
