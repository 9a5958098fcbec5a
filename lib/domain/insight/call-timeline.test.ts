import { describe, expect, test } from "vitest";
import { sampleCall } from "@/tests/samples/calls";
import { formatDuration, formatMs, splitLatency } from "./call-text";
import { assembleTimeline, isSettled } from "./call-timeline";

const START = Date.parse("2026-11-20T10:00:00.000Z");
const LATER = START + 60_000;
const at = (ms: number) => new Date(START + ms).toISOString();

const steps = (changed: Parameters<typeof sampleCall>[0], now = LATER) =>
  assembleTimeline(sampleCall(changed), now);
const step = (name: string, changed: Parameters<typeof sampleCall>[0], now = LATER) =>
  steps(changed, now).find((entry) => entry.step === name);

test("an autofill that succeeded was sent, read its state, answered, and was validated", () => {
  const entries = steps({});
  expect(entries.map(({ step: name, tone }) => [name, tone])).toEqual([
    ["sent", "neutral"],
    ["state", "success"],
    ["answer", "success"],
    ["validation", "success"],
  ]);
  expect(entries.map(({ title }) => title)).toEqual([
    "Sent to the app",
    "The app read its state once",
    "Responded with 200 after 364 ms",
    "The response is valid",
  ]);
  const moments = entries.map((entry) => Date.parse(entry.at ?? ""));
  expect(moments).toEqual(moments.toSorted((one, other) => one - other));
});

// Guarantee: nobody looks for an answer in the core that it never got.
test("a valid answer went to the core, unless a member sent the call from the console", () => {
  expect(step("validation", {})?.details).toEqual(["The core received it unchanged."]);
  expect(step("validation", { test: true })?.details).toEqual([
    "It was sent from the console, so the core received nothing.",
  ]);
  expect(step("validation", { answer: '{"key":"[state key]"}' })?.details).toEqual([
    "The core received it, with [state key] in place of this call's key if the app returned it.",
  ]);
});

describe("queue", () => {
  const delivery = { kind: "webhook", deliveryId: "6f1b2c34-0000-4000-8000-000000000041" } as const;

  test("a delivery was queued until it was sent", () => {
    expect(step("queued", { ...delivery, queueMs: 40 })).toMatchObject({
      tone: "neutral",
      details: ["Waited 40 ms in the queue."],
      at: at(-40),
    });
  });

  test("one that something held back says since when and why", () => {
    const held = { ...delivery, dueAt: at(-12 * 60_000), heldBy: "NOT_RUNNING" } as const;
    expect(step("queued", held)).toMatchObject({
      tone: "warning",
      details: ["Held for 12 minutes, because the installation wasn't running."],
      at: at(-12 * 60_000),
    });
  });

  test("a call that did not wait has no queue", () => {
    expect(step("queued", { queueMs: 0 })).toBeUndefined();
    expect(step("queued", { queueMs: null })).toBeUndefined();
    expect(step("queued", { queueMs: 80 })?.details).toEqual([
      "Waited 80 ms until the app could take another call.",
    ]);
  });
});

test("a call that no instance could take was not sent", () => {
  const entries = steps({
    fault: "app-not-running",
    failure: "No instance is ready.",
    status: null,
    durationMs: 0,
  });
  expect(entries).toEqual([
    { step: "sent", tone: "danger", title: "Not sent", details: ["No instance is ready."], at: at(0) },
  ]);
});

describe("state reads", () => {
  const none = { stateReads: 0, stateReadAt: null, stateLastReadAt: null, stateRevision: null };

  // Guarantee: a publisher learns that their app ignores its state, and never too early.
  test("a missing state read is reported once no read can follow", () => {
    const open = { ...none, durationMs: null, endedAt: null, status: null };
    expect(step("state", open)).toMatchObject({ tone: "open", title: "The app has not read its state yet" });
    expect(step("state", none, START + 400)).toMatchObject({ tone: "open" });
    expect(step("state", none)).toMatchObject({ tone: "warning", title: "This app never read its state" });
    expect(step("state", { ...none, kind: "lifecycle" })).toMatchObject({
      tone: "neutral",
      title: "The hook didn't read the state",
    });
  });

  test("several reads say when the first and the last one were, and of which revision", () => {
    const three = { stateReads: 3, stateReadAt: at(12), stateLastReadAt: at(300), stateRevision: 2 };
    expect(step("state", three)).toMatchObject({
      title: "The app read its state 3 times",
      details: [
        "First 12 ms after it was sent, last 300 ms after it was sent.",
        "It read revision 2, which was current at the time. The current revision is 6.",
      ],
    });
    expect(step("state", { stateRevision: 9 })?.details[1]).toContain("created by an upgrade");
    expect(step("state", { stateRevision: null })?.details[1]).not.toMatch(/\d/);
  });

  // Guarantee: a read within a call is never shown as later than the call's end.
  test("a read is placed by the end of its call, because the start was recorded before the call was sent", () => {
    const slow = { durationMs: 364, endedAt: at(500) };
    const first = (ms: number) =>
      step("state", { ...slow, stateReadAt: at(ms), stateLastReadAt: at(ms) })?.details[0];
    expect(first(406)).toBe("270 ms after it was sent.");
    expect(first(505)).toBe("364 ms after it was sent.");
    expect(first(100)).toBe("0 ms after it was sent.");
    expect(first(800)).toBe("300 ms after the response.");
  });

  test("a read of a call in progress is placed by its start; one on an unknown clock has no moment", () => {
    const open = {
      durationMs: null,
      endedAt: null,
      status: null,
      stateReadAt: at(7),
      stateLastReadAt: at(7),
    };
    expect(step("state", open)?.details[0]).toBe("7 ms after it was sent.");
    expect(step("state", { endedAt: null })?.details).toEqual(["It read revision 6, the current one."]);
  });
});

describe("answer and validation", () => {
  test("a call in progress waits for its answer", () => {
    const open = steps({ durationMs: null, endedAt: null, status: null, answerBytes: null });
    expect(open.at(-1)).toMatchObject({ step: "answer", tone: "open", at: null });
  });

  test("no response says why, and nothing is validated", () => {
    const failure = "It didn't finish its response within 10 s.";
    const silent = steps({ status: null, failure, fault: "app-timed-out", durationMs: 10_000 });
    expect(silent.at(-1)).toMatchObject({
      step: "answer",
      tone: "danger",
      title: "No response after 10 s",
      details: [failure],
    });
  });

  test("a status that is not 2xx is the answer's fault; an answer that is not JSON is refused by validation", () => {
    const bad = steps({ status: 500, failure: "It returned 500.", fault: "app-response-status" });
    expect(bad.at(-1)).toMatchObject({ step: "answer", tone: "danger" });
    const text = steps({ failure: "Its response is not valid JSON.", fault: "app-response-not-json" });
    expect(text.slice(-2)).toMatchObject([
      { step: "answer", tone: "success" },
      { step: "validation", tone: "danger", details: ["Its response is not valid JSON."] },
    ]);
  });

  // Guarantee: a publisher sees everything that is wrong with an answer, where it is, and not only the first of it.
  test("an answer that is not as documented lists its issues with their pointers, as far as it was recorded", () => {
    const failure = "Its response is not valid. /price: Send the price as a JSON number, or leave it out.";
    const refused = { kind: "rater", failure, fault: "app-response-invalid" } as const;
    const recorded = step("validation", { ...refused, answer: '{"price":"12","currency":"euro"}' });
    expect(recorded).toMatchObject({
      tone: "danger",
      details: [
        "/price: Send the price as a JSON number, or leave it out.",
        "/currency: Send a currency code of three capital letters, such as EUR.",
      ],
    });
    expect(step("validation", { ...refused, answer: null })?.details).toEqual([failure]);
    expect(step("answer", { ...refused, answer: null })).toMatchObject({ tone: "success" });
  });

  test("nobody validates the answer to an event", () => {
    expect(step("validation", { kind: "webhook", answerBytes: 0 })).toBeUndefined();
    expect(step("answer", { kind: "webhook", answerBytes: 0 })?.details).toEqual(["The body is empty."]);
  });
});

test("a call settles when its reads are known", () => {
  expect(isSettled(sampleCall({ stateReads: 0 }), START + 1_000)).toBe(false);
  expect(isSettled(sampleCall({ stateReads: 0 }), START + 5_000)).toBe(true);
  expect(isSettled(sampleCall({}), START + 400)).toBe(true);
});

test("the latency has the parts that were measured", () => {
  expect(splitLatency({ queueMs: 3, platformMs: 2, durationMs: 40 })).toEqual([
    { part: "queue", ms: 3 },
    { part: "platform", ms: 2 },
    { part: "app", ms: 40 },
  ]);
  expect(splitLatency({ queueMs: null, platformMs: null, durationMs: 40 })).toEqual([
    { part: "app", ms: 40 },
  ]);
});

test("times have one unit", () => {
  expect([0, 364, 1_000, 1_240, 59_940, 90_000].map(formatMs)).toEqual([
    "0 ms",
    "364 ms",
    "1 s",
    "1.2 s",
    "59.9 s",
    "1 minute",
  ]);
  expect([400, 1_000, 59_000, 3_600_000, 200_000_000].map(formatDuration)).toEqual([
    "1 second",
    "1 second",
    "59 seconds",
    "1 hour",
    "2 days",
  ]);
});
