import { expect, test } from "vitest";
import { stateReadWords } from "./state-read";

const READ = {
  stateReads: 1,
  stateReadAt: "2026-03-01T12:00:00.012Z",
  stateRevision: 2,
  startedAt: "2026-03-01T12:00:00.000Z",
};

test("a call that read an earlier revision says so, and that another is current now", () => {
  expect(stateReadWords(READ, 2, true)).toEqual({
    times: "The app read its state once, 12 ms after the call began.",
    what: "It read revision 2, the current one.",
    revision: "current",
  });
  expect(stateReadWords({ ...READ, stateReads: 3 }, 4, true)).toEqual({
    times: "The app read its state 3 times, first 12 ms after the call began.",
    what: "It read revision 2, which was current when the call began. Now revision 4 is.",
    revision: "earlier",
  });
  expect(stateReadWords({ ...READ, stateRevision: 5 }, 4, true).revision).toBe("later");
});

test("nothing is claimed of a read whose revision is not known", () => {
  const { what, revision } = stateReadWords({ ...READ, stateRevision: null }, 4, true);
  expect(what).not.toMatch(/\d/);
  expect(revision).toBe("unknown");
});

test("a call without a read does not say that there was none before that is certain", () => {
  const none = { ...READ, stateReads: 0, stateReadAt: null, stateRevision: null };
  expect(stateReadWords(none, 1, false).times).toBe("The app has not read its state yet.");
  expect(stateReadWords(none, 1, true)).toEqual({
    times: "The app did not read its state.",
    revision: "none",
  });
});
