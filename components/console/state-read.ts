import type { AttemptDetail } from "@/lib/contract/installation-view";

type Read = Pick<AttemptDetail, "stateReads" | "stateReadAt" | "stateRevision" | "startedAt">;

/** Against the revision that is current now. A hook of an upgrade reads one that does not serve yet. */
export type ReadRevision = "none" | "unknown" | "earlier" | "current" | "later";

export interface StateReadWords {
  /** How often it was read, and when first. */
  times: string;
  /** What was read; absent when nothing was. */
  what?: string;
  revision: ReadRevision;
}

/** What a call read of its state; `settled` says that nothing more will come. */
export function stateReadWords(attempt: Read, current: number, settled: boolean): StateReadWords {
  const { stateReads, stateReadAt, stateRevision, startedAt } = attempt;
  if (stateReads === 0) {
    const times = settled ? "The app did not read its state." : "The app has not read its state yet.";
    return { times, revision: "none" };
  }
  const often = stateReads === 1 ? "once" : stateReads === 2 ? "twice" : `${stateReads} times`;
  const afterMs =
    stateReadAt === null ? undefined : Math.max(0, Date.parse(stateReadAt) - Date.parse(startedAt));
  const first =
    afterMs === undefined ? "" : `, ${stateReads === 1 ? "" : "first "}${afterMs} ms after the call began`;
  const revision = compare(stateRevision, current);
  return {
    times: `The app read its state ${often}${first}.`,
    what: whatWords(revision, stateRevision, current),
    revision,
  };
}

function compare(read: number | null, current: number): Exclude<ReadRevision, "none"> {
  if (read === null) return "unknown";
  if (read === current) return "current";
  return read < current ? "earlier" : "later";
}

function whatWords(revision: Exclude<ReadRevision, "none">, read: number | null, current: number): string {
  switch (revision) {
    case "unknown":
      return "Which revision it read was not written down.";
    case "current":
      return `It read revision ${read}, the current one.`;
    case "earlier":
      return `It read revision ${read}, which was current when the call began. Now revision ${current} is.`;
    case "later":
      return `It read revision ${read}, which an upgrade made. Revision ${current} serves.`;
  }
}
