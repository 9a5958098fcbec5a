import type { AttemptDetail } from "@/lib/contract/installation-view";

type Read = Pick<AttemptDetail, "stateReads" | "stateReadAt" | "stateRevision" | "startedAt">;

/** Compared with the current revision. A hook of an upgrade reads a later one. */
export type ReadRevision = "none" | "unknown" | "earlier" | "current" | "later";

export interface StateReadLabel {
  /** How often it was read, and when for the first time. */
  times: string;
  /** Which revision was read; absent if none was. */
  what?: string;
  revision: ReadRevision;
}

/** Describes how a call read its state. `settled`: it will read no more. */
export function describeStateRead(attempt: Read, current: number, settled: boolean): StateReadLabel {
  const { stateReads, stateReadAt, stateRevision, startedAt } = attempt;
  if (stateReads === 0) {
    const times = settled ? "The app did not read its state." : "The app has not read its state yet.";
    return { times, revision: "none" };
  }
  const often = stateReads === 1 ? "once" : stateReads === 2 ? "twice" : `${stateReads} times`;
  const afterMs =
    stateReadAt === null ? undefined : Math.max(0, Date.parse(stateReadAt) - Date.parse(startedAt));
  const first =
    afterMs === undefined ? "" : `, ${stateReads === 1 ? "" : "first "}${afterMs} ms after the call started`;
  const revision = compare(stateRevision, current);
  return {
    times: `The app read its state ${often}${first}.`,
    what: describeRevision(revision, stateRevision, current),
    revision,
  };
}

function compare(read: number | null, current: number): Exclude<ReadRevision, "none"> {
  if (read === null) return "unknown";
  if (read === current) return "current";
  return read < current ? "earlier" : "later";
}

function describeRevision(
  revision: Exclude<ReadRevision, "none">,
  read: number | null,
  current: number,
): string {
  switch (revision) {
    case "unknown":
      return "The revision it read was not recorded.";
    case "current":
      return `It read revision ${read}, the current one.`;
    case "earlier":
      return `It read revision ${read}, which was current at the time. The current revision is ${current}.`;
    case "later":
      return `It read revision ${read}, created by an upgrade. The current revision is ${current}.`;
  }
}
