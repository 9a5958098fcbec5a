/** What pages say about deliveries: how one went, which ones wait, and how long one waited. Pure. */
import { useIsAway } from "@/components/platform/availability";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import type { AttemptSummary, DeliveryView, PendingDeliveries } from "@/lib/contract/calls/call-summary";
import type { DeliveryHold, InstallationState } from "@/lib/contract/catalog/installation-states";
import type { HealthView } from "@/lib/contract/insight/health";
import { formatDuration, HOLD_REASONS } from "@/lib/domain/insight/call-text";

/** The facts about an installation that decide whether its deliveries are sent. */
export interface Live {
  state: InstallationState;
  instance: { state: string } | null;
  health?: HealthView;
}

/** Why the deliveries of an installation, or those of one event type, wait now; undefined if they don't. */
function findHold({ state, instance, health }: Live, eventType?: string | null): DeliveryHold | undefined {
  if (state !== "RUNNING") return "NOT_RUNNING";
  if (instance?.state !== "READY") return "NOT_READY";
  const isPaused = health?.problems.some(
    ({ cause, eventType: paused = eventType }) =>
      cause === "deliveries-paused" && (eventType === undefined || paused === eventType),
  );
  return isPaused === true ? "BREAKER_OPEN" : undefined;
}

interface DeliveryLabel {
  tone: "info" | "success" | "warning" | "danger";
  title: string;
  text: string;
  /** It will be tried again at this moment, ISO 8601. */
  nextAt?: string;
  /** It can still change by itself. */
  isOpen: boolean;
}

/** One verdict for one delivery: never a success and a failure at once. */
export function describeDelivery(
  { state, attemptCount, nextAttemptAt, attempts: [newest] }: DeliveryView,
  live: Live,
  { eventType, isWorkerAway = false }: { eventType?: string | null; isWorkerAway?: boolean } = {},
): DeliveryLabel {
  switch (state) {
    case "DELIVERED":
      return { tone: "success", title: "Delivered", text: "The app accepted the event.", isOpen: false };
    case "DEAD":
      return {
        tone: "danger",
        title: "Delivery failed",
        text: `None of ${attemptCount} attempts succeeded. It won't be retried.`,
        isOpen: false,
      };
    case "ENDED":
      return {
        tone: "warning",
        title: "Subscription ended",
        text: "The app returned 410, so it receives no more events on this route.",
        isOpen: false,
      };
    case "PENDING": {
      if (newest !== undefined && newest.durationMs === null && !isWorkerAway)
        return { tone: "info", title: "Delivering", text: "The app hasn't responded yet.", isOpen: true };
      const hold = findHold(live, eventType);
      if (hold !== undefined)
        return { tone: "warning", title: "Waiting for delivery", text: SENT_LATER[hold], isOpen: true };
      if (isWorkerAway)
        return {
          tone: "warning",
          title: newest === undefined ? "Waiting for delivery" : "Not delivered yet",
          text: "The platform's worker is unavailable. It sends the event when it is back.",
          isOpen: true,
        };
      if (newest === undefined)
        return {
          tone: "info",
          title: "Waiting for delivery",
          text: "It will be sent in a moment.",
          isOpen: true,
        };
      return {
        tone: "warning",
        title: "Not delivered yet",
        text: `Attempt ${attemptCount} failed.`,
        nextAt: nextAttemptAt,
        isOpen: true,
      };
    }
  }
}

const SENT_LATER: Record<DeliveryHold, string> = {
  NOT_RUNNING: "The installation isn't running. The event will be sent after you start it.",
  NOT_READY: "No instance of the app is ready. The event will be sent as soon as one is.",
  BREAKER_OPEN:
    "Deliveries of this event type are paused because the last ones failed. The event will be sent as soon as the app accepts the type again.",
};

interface PendingLabel {
  title: string;
  /** Why they wait, and what sends them. */
  text: string;
  since: string | null;
}

/** Deliveries that wait for something. A moment in the queue is not worth reporting. */
export function describeWaiting(pending: PendingDeliveries, live: Live): PendingLabel | undefined {
  const hold = findHold(live);
  if (pending.waiting === 0 || hold === undefined || live.state === "UNINSTALLED") return undefined;
  const one = pending.waiting === 1;
  return {
    title: `${one ? "1 delivery is" : `${pending.waiting} deliveries are`} waiting`,
    text: {
      NOT_RUNNING: `The installation isn't running. ${one ? "It" : "They"} will be sent after you start it.`,
      NOT_READY: `No instance of the app is ready. ${one ? "It" : "They"} will be sent as soon as one is.`,
      BREAKER_OPEN: `The last deliveries of an event type failed, so the platform sends only a few of that type until the app accepts it again. Then ${one ? "this one" : "the others"} will be sent.`,
    }[hold],
    since: pending.waitingSince,
  };
}

/** How long an attempt's delivery had waited, and for what; undefined if it was sent when it was due. */
export function describeWait({
  dueAt,
  heldBy,
  startedAt,
}: Pick<AttemptSummary, "dueAt" | "heldBy" | "startedAt">): string | undefined {
  if (dueAt === null || heldBy === null) return undefined;
  const time = formatDuration(Date.parse(startedAt) - Date.parse(dueAt));
  return `Waited ${time}, because ${HOLD_REASONS[heldBy]}`;
}

interface PendingNoticeProps {
  pending: PendingDeliveries;
  installation: Live;
  className?: string;
}

/** Deliveries that wait until the installation runs, or that are tried again later. */
export function PendingNotice({ pending, installation, className }: PendingNoticeProps) {
  const isWorkerAway = useIsAway("worker");
  const waiting = describeWaiting(pending, installation);
  if (waiting !== undefined)
    return (
      <Notice tone="warning" title={waiting.title} className={className}>
        {waiting.text}
        {waiting.since !== null && (
          <>
            {" "}
            {pending.waiting === 1 ? "It was due" : "The oldest was due"} <RelativeTime at={waiting.since} />.
          </>
        )}
      </Notice>
    );
  if (pending.retrying === 0) return null;
  const one = pending.retrying === 1;
  return (
    <Notice
      title={
        one ? "1 failed delivery is tried again" : `${pending.retrying} failed deliveries are tried again`
      }
      className={className}
    >
      {isWorkerAway && "The platform's worker is unavailable. It makes the next attempt when it is back."}
      {pending.nextRetryAt !== null && !isWorkerAway && (
        <>
          {one ? "The next attempt is due" : "The next attempt of one of them is due"}{" "}
          <RelativeTime at={pending.nextRetryAt} />.
        </>
      )}
    </Notice>
  );
}
