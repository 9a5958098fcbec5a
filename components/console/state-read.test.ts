import { expect, test } from "vitest";
import { describeStateRead } from "./state-read";

const READ = {
  stateReads: 1,
  stateReadAt: "2026-03-01T12:00:00.012Z",
  stateRevision: 2,
  startedAt: "2026-03-01T12:00:00.000Z",
  durationMs: 20,
  endedAt: "2026-03-01T12:00:00.020Z",
};

test("a call that read an earlier revision shows that revision and the current one", () => {
  expect(describeStateRead(READ, 2, true)).toEqual({
    times: "The app read its state once, 12 ms after the call started.",
    what: "It read revision 2, the current one.",
    revision: "current",
  });
  expect(describeStateRead({ ...READ, stateReads: 3 }, 4, true)).toEqual({
    times: "The app read its state 3 times, first 12 ms after the call started.",
    what: "It read revision 2, which was current at the time. The current revision is 4.",
    revision: "earlier",
  });
  expect(describeStateRead({ ...READ, stateRevision: 5 }, 4, true).revision).toBe("later");
});

test("a read of an unknown revision names none", () => {
  const { what, revision } = describeStateRead({ ...READ, stateRevision: null }, 4, true);
  expect(what).not.toMatch(/\d/);
  expect(revision).toBe("unknown");
});

test("a call without a read only says so once no more can come", () => {
  const none = { ...READ, stateReads: 0, stateReadAt: null, stateRevision: null };
  expect(describeStateRead(none, 1, false).times).toBe("The app has not read its state yet.");
  expect(describeStateRead(none, 1, true)).toEqual({
    times: "The app did not read its state.",
    revision: "none",
  });
});

const read = (at: string, changed: object = {}) =>
  describeStateRead({ ...READ, stateReadAt: `2026-03-01T12:00:00.${at}Z`, ...changed }, 2, true).times;

// Guarantee: a read within a call is never shown as later than the call's end.
test("a read is placed by the end of its call, because the start was recorded before the call was sent", () => {
  const slowlyRecorded = { durationMs: 364, endedAt: "2026-03-01T12:00:00.500Z" };
  expect(read("406", slowlyRecorded)).toContain("once, 270 ms after the call started.");
  expect(read("505", slowlyRecorded)).toContain("once, 364 ms after the call started.");
  expect(read("100", slowlyRecorded)).toContain("once, 0 ms after the call started.");
  expect(read("800", slowlyRecorded)).toContain("once, 300 ms after the call ended.");
});

test("a read of a call in progress is placed by its start; one on an unknown clock has no time", () => {
  expect(read("007", { durationMs: null, endedAt: null })).toContain("once, 7 ms after the call started.");
  expect(read("406", { endedAt: null })).toBe("The app read its state once.");
});
