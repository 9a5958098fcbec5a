import { expect, test } from "vitest";
import { sampleDevCall, sampleDevRead, sampleDevSnapshot, sampleDrill } from "@/tests/samples/dev";
import { applyEvent } from "./connection";

const before = sampleDevSnapshot();

test("a call or a read replaces the one with its id, and a new one is first", () => {
  const ended = applyEvent(before, "call", sampleDevCall({ ms: 99 }));
  expect(ended.calls.map(({ id, ms }) => [id, ms])).toEqual([
    ["call-1", 99],
    ["call-0", 14.2],
  ]);
  expect(applyEvent(before, "call", sampleDevCall({ id: "call-2" })).calls[0]?.id).toBe("call-2");
  expect(applyEvent(before, "read", sampleDevRead({ id: "read-9" })).reads[0]?.id).toBe("read-9");
});

test("a read appears in its call while the call is in progress", () => {
  const open = applyEvent(before, "call", sampleDevCall({ id: "call-2", done: false, reads: [] }));
  const read = sampleDevRead({ id: "read-9", callId: "call-2" });
  expect(applyEvent(open, "read", read).calls[0]?.reads).toEqual([read]);
  expect(applyEvent(before, "read", sampleDevRead({ id: "read-9" })).calls[0]?.reads).toHaveLength(1);
});

test("a page that is open for days keeps no more than a snapshot has", () => {
  let now = before;
  for (let id = 10; id < 1_200; id++) {
    now = applyEvent(now, "log", { id, at: "2026-11-20T10:00:00.000Z", stream: "stdout", text: "line" });
    now = applyEvent(now, "call", sampleDevCall({ id: `call-${id}` }));
  }
  expect(now.log).toHaveLength(1_000);
  expect(now.log.at(-1)?.id).toBe(1_199);
  expect(now.calls).toHaveLength(200);
});

test("a drill replaces its earlier state", () => {
  const { drills } = applyEvent(before, "drill", sampleDrill({ name: "kill", state: "passed" }));
  expect(drills.map(({ name }) => name)).toEqual(before.drills.map(({ name }) => name));
  expect(drills.at(-1)?.state).toBe("passed");
});
