/** What happened to one call, step by step, and where its time went. Pure: the present moment is an argument. */
import type { CallView } from "@/lib/contract/insight/call";
import { formatDuration, formatMs, HOLD_REASONS } from "./call-text";

type Step = "queued" | "sent" | "state" | "answer" | "validation";

export interface TimelineEntry {
  step: Step;
  /** `open`: not over yet. */
  tone: "neutral" | "success" | "warning" | "danger" | "open";
  title: string;
  details: string[];
  /** ISO 8601; null if it has not happened, or if its moment was not recorded. */
  at: string | null;
}

type TimedCall = Pick<
  CallView,
  | "kind"
  | "test"
  | "target"
  | "deliveryId"
  | "dueAt"
  | "heldBy"
  | "queueMs"
  | "startedAt"
  | "endedAt"
  | "durationMs"
  | "status"
  | "failure"
  | "fault"
  | "answer"
  | "answerBytes"
  | "answerIssues"
  | "stateReads"
  | "stateReadAt"
  | "stateLastReadAt"
  | "stateRevision"
> & { installation: Pick<CallView["installation"], "revision"> };

/** State reads are recorded in batches, so a call settles a moment after its answer. */
const SETTLE_MS = 4_000;

/** The call's answer and its state reads will no longer change. */
export function isSettled(
  call: Pick<TimedCall, "durationMs" | "startedAt" | "stateReads">,
  now: number,
): boolean {
  if (call.durationMs === null) return false;
  return call.stateReads > 0 || now - (Date.parse(call.startedAt) + call.durationMs) > SETTLE_MS;
}

/** The steps of a call in their order. Those that are still to come are left out, except the next one. */
export function assembleTimeline(call: TimedCall, now: number): TimelineEntry[] {
  const queued = describeQueue(call);
  if (call.fault === "app-not-running") return [...queued, describeUnsent(call)];
  return [
    ...queued,
    {
      step: "sent",
      tone: "neutral",
      title: "Sent to the app",
      details: [call.target],
      at: toIso(sentAt(call)),
    },
    describeStateRead(call, isSettled(call, now)),
    describeAnswer(call),
    ...describeValidation(call),
  ];
}

function describeQueue(call: TimedCall): TimelineEntry[] {
  const { dueAt, heldBy, queueMs, deliveryId } = call;
  const isDelivery = deliveryId !== null;
  if (!isDelivery && (queueMs === null || queueMs === 0)) return [];
  const start = Date.parse(call.startedAt);
  const at = dueAt ?? (queueMs === null ? null : toIso(start - queueMs));
  const waited = heldBy !== null && dueAt !== null ? start - Date.parse(dueAt) : (queueMs ?? 0);
  const details =
    heldBy === null ? [] : [`Held for ${formatDuration(waited)}, because ${HOLD_REASONS[heldBy]}.`];
  if (heldBy === null && waited > 0)
    details.push(
      isDelivery
        ? `Waited ${formatMs(waited)} in the queue.`
        : `Waited ${formatMs(waited)} until the app could take another call.`,
    );
  return [{ step: "queued", tone: heldBy === null ? "neutral" : "warning", title: "Queued", details, at }];
}

function describeUnsent({ failure, startedAt }: TimedCall): TimelineEntry {
  return {
    step: "sent",
    tone: "danger",
    title: "Not sent",
    details: failure === null ? [] : [failure],
    at: startedAt,
  };
}

/** The start was recorded before the call was sent, and its end on the clock of the state reads. */
function sentAt({ startedAt, endedAt, durationMs }: TimedCall): number {
  return endedAt === null || durationMs === null ? Date.parse(startedAt) : Date.parse(endedAt) - durationMs;
}

function describeStateRead(call: TimedCall, settled: boolean): TimelineEntry {
  const { stateReads, stateReadAt } = call;
  if (stateReads === 0 && settled) return describeNoRead(call);
  if (stateReads === 0)
    return {
      step: "state",
      tone: "open",
      title: "The app has not read its state yet",
      details: [],
      at: null,
    };
  const often = stateReads === 1 ? "once" : stateReads === 2 ? "twice" : `${stateReads} times`;
  const revision = describeRevision(call);
  return {
    step: "state",
    tone: "success",
    title: `The app read its state ${often}`,
    details: [...describeMoments(call), revision],
    at: stateReadAt,
  };
}

/** What the core asks depends on the customer. Of a hook, an app may only need to know that it happened. */
function describeNoRead({ kind }: TimedCall): TimelineEntry {
  const isHook = kind === "lifecycle";
  return {
    step: "state",
    tone: isHook ? "neutral" : "warning",
    title: isHook ? "The hook didn't read the state" : "This app never read its state",
    details: isHook ? ["Hooks don't have to."] : [],
    at: null,
  };
}

/** How far a moment that was recorded later may be off. */
const SLACK_MS = 25;

function describeMoments(call: TimedCall): string[] {
  const first = describeMoment(call, call.stateReadAt);
  if (first === undefined) return [];
  const last = describeMoment(call, call.stateLastReadAt);
  if (call.stateReads === 1 || last === undefined || last === first) return [`${toSentence(first)}.`];
  return [`First ${first}, last ${last}.`];
}

function describeMoment(call: TimedCall, readAt: string | null): string | undefined {
  // Calls recorded before their end was: their reads were timed on another clock.
  if (readAt === null || (call.durationMs !== null && call.endedAt === null)) return undefined;
  const after = Date.parse(readAt) - sentAt(call);
  if (call.durationMs !== null && after > call.durationMs + SLACK_MS)
    return `${formatMs(after - call.durationMs)} after the response`;
  return `${formatMs(Math.min(Math.max(after, 0), call.durationMs ?? after))} after it was sent`;
}

function describeRevision({ stateRevision: read, installation: { revision: current } }: TimedCall): string {
  if (read === null) return "The revision it read was not recorded.";
  if (read === current) return `It read revision ${read}, the current one.`;
  return read < current
    ? `It read revision ${read}, which was current at the time. The current revision is ${current}.`
    : `It read revision ${read}, created by an upgrade. The current revision is ${current}.`;
}

function describeAnswer(call: TimedCall): TimelineEntry {
  const { status, failure, durationMs, answerBytes, endedAt, startedAt } = call;
  if (durationMs === null)
    return { step: "answer", tone: "open", title: "The app hasn't responded yet", details: [], at: null };
  const at = endedAt ?? toIso(Date.parse(startedAt) + durationMs);
  const took = `after ${formatMs(durationMs)}`;
  if (status === null)
    return {
      step: "answer",
      tone: "danger",
      title: `No response ${took}`,
      details: failure === null ? [] : [failure],
      at,
    };
  const size = answerBytes === null ? [] : [describeSize(answerBytes)];
  const isBad = failure !== null && !isAboutContent(call);
  return {
    step: "answer",
    tone: isBad ? "danger" : "success",
    title: `Responded with ${status} ${took}`,
    // The title says it already.
    details: isBad && failure !== `It returned ${status}.` ? [...size, failure] : size,
    at,
  };
}

function describeSize(bytes: number): string {
  if (bytes === 0) return "The body is empty.";
  return bytes === 1 ? "1 byte" : `${bytes.toLocaleString("en-US")} bytes`;
}

/** The answer arrived, and what it says is wrong. */
function isAboutContent({ fault }: Pick<TimedCall, "fault">): boolean {
  return fault === "app-response-not-json" || fault === "app-response-invalid";
}

/** These answers are for the core, so only these have a form. */
function describeValidation(call: TimedCall): TimelineEntry[] {
  const { kind, test, failure, status, durationMs, endedAt } = call;
  if ((kind !== "autofill" && kind !== "rater") || durationMs === null || status === null) return [];
  if (isAboutContent(call))
    return [
      {
        step: "validation",
        tone: "danger",
        title: "The response was rejected",
        details: call.answerIssues,
        at: endedAt,
      },
    ];
  if (failure !== null) return [];
  return [
    {
      step: "validation",
      tone: "success",
      title: "The response is valid",
      details: [
        test ? "It was sent from the console, so the core received nothing." : describeReceived(call),
      ],
      at: endedAt,
    },
  ];
}

/** The record has marks for keys of other calls, too, which the core got as they were. */
function describeReceived({ answer }: Pick<TimedCall, "answer">): string {
  return answer?.includes("[state key]") === true
    ? "The core received it, with [state key] in place of this call's key if the app returned it."
    : "The core received it unchanged.";
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
