import fc from "fast-check";
import { v7 } from "uuid";
import { expect, test } from "vitest";
import { cpuTime } from "@/tests/cpu-time";
import { formatParent, parseTrace, spanIdOf, traceHeaders, traceIdOf } from "./trace";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${SPAN}-01`;

test("a valid header is read", () => {
  expect(parseTrace(VALID, "vendor=value,tenant@system=1")).toEqual({
    traceId: TRACE,
    parentId: SPAN,
    isSampled: true,
    state: "vendor=value,tenant@system=1",
  });
  expect(parseTrace(`00-${TRACE}-${SPAN}-00`)).toMatchObject({ isSampled: false, state: null });
  // Later versions may add fields, and further flags.
  expect(parseTrace(`cc-${TRACE}-${SPAN}-03-more`)).toMatchObject({ traceId: TRACE, isSampled: true });
});

test.each([
  ["absent", undefined],
  ["empty", ""],
  ["two headers", [VALID, VALID]],
  ["two headers as one", `${VALID}, ${VALID}`],
  ["uppercase", VALID.toUpperCase()],
  ["version ff", `ff-${TRACE}-${SPAN}-01`],
  ["more fields in version 00", `${VALID}-more`],
  ["zero trace", `00-${"0".repeat(32)}-${SPAN}-01`],
  ["zero parent", `00-${TRACE}-${"0".repeat(16)}-01`],
  ["short trace", `00-${TRACE.slice(1)}-${SPAN}-01`],
  ["not hexadecimal", `00-${"g".repeat(32)}-${SPAN}-01`],
  ["a megabyte", `cc-${TRACE}-${SPAN}-01-${"x".repeat(1024 * 1024)}`],
  ["a line break", `${VALID}\r\nx: y`],
])("%s: no trace", (_name, header) => {
  expect(parseTrace(header)).toBeUndefined();
});

test.each([
  ["too long", `a=${"x".repeat(512)}`],
  ["33 members", Array.from({ length: 33 }, (_, n) => `a${n}=1`).join(",")],
  ["a line break", "a=1\r\nb=2"],
  ["not ASCII", "a=ü"],
  ["no value", "a"],
  ["uppercase key", "A=1"],
])("a tracestate that is %s is dropped, and the trace kept", (_name, state) => {
  expect(parseTrace(VALID, state)).toMatchObject({ traceId: TRACE, state: null });
});

test("several tracestate headers are one list", () => {
  expect(parseTrace(VALID, ["a=1", "b=2"])?.state).toBe("a=1,b=2");
});

// Guarantee: what the app gets is always valid, in the caller's trace, with a parent of the platform's own.
test("any header leads to a valid one", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constant(VALID)), fc.string(), (parent, state) => {
      const attemptId = v7();
      const headers = traceHeaders(attemptId, parseTrace(parent, state));
      const sent = parseTrace(headers.traceparent, headers.tracestate);
      expect(sent).toMatchObject({ parentId: spanIdOf(attemptId), state: headers.tracestate ?? null });
      expect(sent?.traceId).toBe(parent === VALID ? TRACE : traceIdOf(attemptId));
    }),
  );
});

test("what is stored with an event is read again", () => {
  const trace = parseTrace(VALID, "a=1");
  expect(parseTrace(formatParent(trace), trace?.state)).toEqual(trace);
  expect(formatParent(undefined)).toBeNull();
});

test("hostile lists cost no time", async () => {
  const hostile = `${"a".repeat(255)}=${" ".repeat(250)}`;
  const spent = await cpuTime(() => {
    for (let n = 0; n < 1_000; n += 1) parseTrace(VALID, hostile);
  });
  expect(spent).toBeLessThan(2_000);
});
