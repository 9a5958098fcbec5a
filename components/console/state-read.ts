import type { AttemptDetail } from "@/lib/contract/installation-view";

type Read = Pick<
  AttemptDetail,
  "stateReads" | "stateReadAt" | "stateRevision" | "startedAt" | "durationMs" | "endedAt"
>;

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
  const { stateReads, stateRevision } = attempt;
  if (stateReads === 0) {
    const times = settled ? "The app did not read its state." : "The app has not read its state yet.";
    return { times, revision: "none" };
  }
  const often = stateReads === 1 ? "once" : stateReads === 2 ? "twice" : `${stateReads} times`;
  const moment = describeMoment(attempt);
  const first = moment === undefined ? "" : `, ${stateReads === 1 ? "" : "first "}${moment}`;
  const revision = compare(stateRevision, current);
  return {
    times: `The app read its state ${often}${first}.`,
    what: describeRevision(revision, stateRevision, current),
    revision,
  };
}

/** How far a moment that was recorded later may be off. */
const SLACK_MS = 25;

/** When the state was first read. All moments are on one clock, on which the call's duration ends at `endedAt`. */
function describeMoment({ stateReadAt, startedAt, durationMs, endedAt }: Read): string | undefined {
  if (stateReadAt === null) return undefined;
  const readAt = Date.parse(stateReadAt);
  if (durationMs === null) return `${Math.max(0, readAt - Date.parse(startedAt))} ms after the call started`;
  // Calls recorded before the end was: their reads were timed on another clock.
  if (endedAt === null) return undefined;
  const afterEnd = readAt - Date.parse(endedAt);
  if (afterEnd > SLACK_MS) return `${afterEnd} ms after the call ended`;
  return `${Math.min(durationMs, Math.max(0, durationMs + afterEnd))} ms after the call started`;
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
